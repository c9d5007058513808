import { type Agent, request } from 'node:http'
import { contract } from '../../../schemas/index.ts'

/** The server that receives a statement. */
export interface Target {
  readonly port: number
  readonly token: string
}

export interface Reply {
  readonly status: number
  /** Empty without `keepBody`. */
  readonly body: Buffer
  readonly bytes: number
  /** Milliseconds from the call to the first byte of the body. */
  readonly firstByteMs: number
  /** Milliseconds from the call to the last byte of the body. */
  readonly ms: number
}

export interface AskOptions {
  /** Default: a new connection, closed afterwards. */
  readonly agent?: Agent
  /** Returns the body. Default: only counts its bytes. */
  readonly keepBody?: boolean
}

/** Sends one statement over HTTP and waits for the complete answer. @throws Error if the connection fails */
export function ask(target: Target, statement: string, options: AskOptions = {}): Promise<Reply> {
  const { agent = false, keepBody = false } = options
  const payload = Buffer.from(JSON.stringify({ statement }))
  const from = performance.now()
  return new Promise((resolve, reject) => {
    const outgoing = request({
      host: '127.0.0.1',
      port: target.port,
      path: contract.endpoint.path,
      method: contract.endpoint.method,
      agent,
      headers: {
        authorization: `Bearer ${target.token}`,
        'content-type': 'application/json',
        'content-length': payload.length,
      },
    })
    outgoing.on('error', reject)
    outgoing.on('response', (incoming) => {
      const chunks: Buffer[] = []
      let bytes = 0
      let firstByteMs = 0
      incoming.on('data', (chunk: Buffer) => {
        if (bytes === 0) firstByteMs = performance.now() - from
        bytes += chunk.length
        if (keepBody) chunks.push(chunk)
      })
      incoming.on('error', reject)
      incoming.on('end', () =>
        resolve({
          status: incoming.statusCode ?? 0,
          body: Buffer.concat(chunks),
          bytes,
          firstByteMs,
          ms: performance.now() - from,
        }),
      )
    })
    outgoing.end(payload)
  })
}

import { type Agent, request } from 'node:http'
import { contract } from '../../schemas/index.ts'

/** Where a statement is sent. */
export interface Target {
  readonly port: number
  readonly token: string
}

export interface Reply {
  readonly status: number
  /** Empty unless the body was asked for. */
  readonly body: Buffer
  readonly bytes: number
  /** From the call to the first byte of the body, and to its last; in milliseconds. */
  readonly firstByteMs: number
  readonly ms: number
}

export interface AskOptions {
  /** Default: a connection of its own, closed afterwards. */
  readonly agent?: Agent
  /** Keeps the body; without it bytes are only counted. */
  readonly keepBody?: boolean
  /** Sent in place of a well-formed request body. */
  readonly rawBody?: string
}

/** Sends one statement over HTTP and waits for the whole answer. @throws Error when the connection breaks */
export function ask(target: Target, statement: string, options: AskOptions = {}): Promise<Reply> {
  const { agent = false, keepBody = false, rawBody } = options
  const payload = Buffer.from(rawBody ?? JSON.stringify({ statement }))
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

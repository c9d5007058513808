import { type Agent, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { urlToHttpOptions } from 'node:url'
import type { Ending, Exchange } from '../client/conformance/index.ts'
import { bodyOf, MOST_BYTES, recordedBody } from './body.ts'

export interface ForwardOptions {
  /** The base URL of the target. Its path is put in front of that of each request. */
  readonly target: URL
  /** Opens the connections to the target, by its protocol. */
  readonly agent: Agent
  readonly maxHeaderSize: number
  /** Most bytes of a body to keep in the exchange. */
  readonly keptBytes: number
  /** Called with a sentence when a request is refused or gets no answer. */
  readonly say: (sentence: string) => void
}

/**
 * Passes a request to the target and its answer to the client, with back pressure. The request is read whole first: then
 * its exact length is sent, whatever the method, and the target sees the request that is judged. If the target gives no
 * answer, or ends in the middle of one, the connection of the client ends in the same place.
 *
 * @returns the exchange when it is over; undefined if nothing was sent to the target
 */
export async function forward(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { target, agent, maxHeaderSize, keptBytes, say }: ForwardOptions,
): Promise<Exchange | undefined> {
  const { method = '', url = '', headersDistinct } = incoming
  const startedMs = Date.now()
  const body = await bodyOf(incoming)
  if (outgoing.destroyed) return undefined
  if (body === undefined) {
    say(refuse(outgoing))
    return undefined
  }
  let answer: IncomingMessage | undefined
  const parts: Buffer[] = []
  let bytes = 0
  const { 'content-length': _, ...onward } = passedOn(headersDistinct)
  return new Promise((resolve) => {
    const end = (ending: Ending) =>
      resolve({
        startedMs,
        endedMs: Date.now(),
        method,
        path: url.split('?')[0]!,
        ...message(headersDistinct, body.subarray(0, keptBytes), body.length),
        ...(answer && {
          answer: {
            status: answer.statusCode!,
            ...message(answer.headersDistinct, Buffer.concat(parts).subarray(0, keptBytes), bytes),
          },
        }),
        ending,
      })
    const fail = ({ code, message }: NodeJS.ErrnoException) => {
      // what comes after a whole answer is no part of it
      if (outgoing.destroyed || answer?.complete) return
      if (!answer) say(`${target.host} gave no HTTP answer (${code ?? message}). Check --target.`)
      end(answer ? 'truncated' : 'reset')
      outgoing.socket?.destroySoon()
    }
    const asked = request({
      ...urlToHttpOptions(target),
      agent,
      path: target.pathname.replace(/\/$/, '') + url,
      method,
      headers: { ...onward, ...(body.length > 0 && { 'content-length': body.length }) },
      maxHeaderSize,
    })
    asked.maxHeadersCount = 0
    outgoing.on('error', () => {})
    outgoing.once('close', () => {
      end(outgoing.writableFinished ? 'complete' : 'aborted')
      asked.destroy()
    })
    asked.on('error', fail)
    asked.on('upgrade', (_, socket) => {
      socket.destroy()
      fail(new Error('another protocol'))
    })
    asked.on('response', (incoming) => {
      try {
        outgoing.sendDate = false
        outgoing.writeHead(incoming.statusCode!, passedOn(incoming.headersDistinct))
      } catch (error) {
        asked.destroy()
        return fail(error as Error)
      }
      answer = incoming
      // the headers leave now; flushHeaders() would write bytes beyond ASCII as UTF-8
      outgoing.write(Buffer.alloc(0))
      answer.on('error', fail)
      answer.on('data', (chunk: Buffer) => {
        if (bytes < keptBytes) parts.push(chunk)
        bytes += chunk.length
      })
      answer.pipe(outgoing)
    })
    asked.end(body)
  })
}

/** The values of each header, by its name in lower case. */
type Headers = NodeJS.Dict<string[]>

/** Headers that belong to one connection (RFC 9110, section 7.6.1), and those that each side writes itself. */
const OF_CONNECTION = [
  'connection',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]

/** The headers to pass on. Content-Length stays even if Connection names it: it tells where the message ends. */
function passedOn(headers: Headers): Headers {
  const named = String(headers['connection']).toLowerCase().split(',')
  const dropped = [...OF_CONNECTION, ...named.map((name) => name.trim())]
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => name === 'content-length' || !dropped.includes(name)),
  )
}

/** A message as the rules read it: headers by name, with repetitions joined. */
const message = (headers: Headers, kept: Uint8Array, sent: number) => ({
  headers: Object.fromEntries(Object.entries(headers).map(([name, values]) => [name, values!.join()])),
  body: recordedBody(kept, sent, headers['content-encoding']?.join()),
})

/** Answers 413 to a body that is too long. @returns the reason as a sentence */
function refuse(outgoing: ServerResponse): string {
  const message = `The proxy refused a request of more than ${MOST_BYTES / 1024 / 1024} MiB. Send a shorter statement.`
  outgoing.writeHead(413, { 'content-type': 'application/json' })
  outgoing.end(JSON.stringify({ data: [], status: { state: 'error', message } }))
  return message
}

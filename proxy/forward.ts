import { once } from 'node:events'
import { type Agent, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { urlToHttpOptions } from 'node:url'
import type { Ending, Exchange } from '../client/conformance/index.ts'
import { bodyOf, recordedBody } from './body.ts'

export interface ForwardOptions {
  /** The base URL of the target. Its path is put in front of that of each request. */
  readonly target: URL
  /** Opens the connections to the target, by its protocol. */
  readonly agent: Agent
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
  { target, agent, keptBytes, say }: ForwardOptions,
): Promise<Exchange | undefined> {
  const { method = '', url = '', headersDistinct } = incoming
  const startedMs = Date.now()
  const left = new AbortController()
  outgoing.once('close', () => left.abort()).on('error', () => {})
  const body = await bodyOf(incoming).catch(() => undefined)
  if (left.signal.aborted) return undefined
  if (body === undefined) {
    const message = 'The proxy refused a request of more than 16 MiB. Send a shorter statement.'
    say(message)
    outgoing.writeHead(413, { 'content-type': 'application/json' })
    outgoing.end(JSON.stringify({ data: [], status: { state: 'error', message } }))
    return undefined
  }
  let answer: IncomingMessage | undefined
  let ending: Ending = 'complete'
  const parts: Buffer[] = []
  let bytes = 0
  const asked = request({
    ...urlToHttpOptions(target),
    agent,
    path: target.pathname.replace(/\/$/, '') + url,
    method,
    headers: { ...passedOn(headersDistinct), ...(body.length > 0 && { 'content-length': body.length }) },
  })
  // the reader of the answer gets it too
  asked.on('error', () => {})
  asked.on('upgrade', (_, socket) => {
    socket.destroy()
    asked.emit('error', new Error('another protocol'))
  })
  left.signal.addEventListener('abort', () => asked.destroy())
  try {
    asked.end(body)
    const [response] = (await once(asked, 'response', left)) as [IncomingMessage]
    outgoing.sendDate = false
    const length = response.headers['content-length']
    outgoing.writeHead(response.statusCode!, {
      ...passedOn(response.headersDistinct),
      ...(length !== undefined && { 'content-length': length }),
    })
    answer = response
    // the headers leave now; flushHeaders() would write bytes beyond ASCII as UTF-8
    outgoing.write(Buffer.alloc(0))
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      if (bytes < keptBytes) parts.push(chunk)
      bytes += chunk.length
      if (!outgoing.write(chunk)) await once(outgoing, 'drain', left)
    }
    outgoing.end()
    await once(outgoing, 'finish', left)
  } catch (error) {
    ending = left.signal.aborted ? 'aborted' : answer ? 'truncated' : 'reset'
    const { code, message } = error as NodeJS.ErrnoException
    if (ending === 'reset') say(`${target.host} gave no HTTP answer (${code ?? message}). Check --target.`)
    asked.destroy()
    outgoing.socket?.destroySoon()
  }
  return {
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
  }
}

/** The values of each header, by its name in lower case. */
type Headers = NodeJS.Dict<string[]>

/** Headers that belong to one connection (RFC 9110, section 7.6.1), and those that each side writes itself. */
const OF_CONNECTION = [
  'connection',
  'content-length',
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

/** The headers to pass on, without those that Connection names. */
function passedOn(headers: Headers): Headers {
  const named = String(headers['connection']).toLowerCase().replaceAll(' ', '').split(',')
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !OF_CONNECTION.includes(name) && !named.includes(name)),
  )
}

/** A message as the rules read it: headers by name, with repetitions joined. */
const message = (headers: Headers, kept: Uint8Array, sent: number) => ({
  headers: Object.fromEntries(Object.entries(headers).map(([name, values]) => [name, values!.join()])),
  body: recordedBody(kept, sent, headers['content-encoding']?.join()),
})

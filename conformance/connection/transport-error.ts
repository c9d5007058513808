import type { Exchange } from './exchange.ts'
import { echoed } from './secrets.ts'

/** No response came, because of the address, the network, TLS, or a target that took too long. */
export class TransportError extends Error {
  override name = 'TransportError'
  readonly exchange: Exchange
  /** Whether the target used up the time or the bytes that it gets: then there is no retry. */
  readonly exhausting: boolean
  constructor(message: string, exchange: Exchange, exhausting: boolean) {
    super(message)
    this.exchange = exchange
    this.exhausting = exhausting
  }
}

/** An answer that does not end, or is too long to be held. */
export class TooLarge extends Error {
  override name = 'TooLarge'
}

/** Names and codes of timeouts. */
const SILENCE = /^(TimeoutError|UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT|ETIMEDOUT)$/

/** What `fetch` threw, as an error with the sentence for a request without a response. */
export function transportError(error: unknown, exchange: Exchange, timeoutMs: number): TransportError {
  const { code = '', name = '' } = causeOf(error)
  exchange.failure = describeFailure(error, exchange.request.url, timeoutMs)
  return new TransportError(
    exchange.failure,
    exchange,
    name === 'TooLarge' || SILENCE.test(name) || SILENCE.test(code),
  )
}

const causeOf = (error: unknown) =>
  ((error as { cause?: unknown }).cause ?? error) as { code?: string; name?: string; message?: string }

/** The sentence for a request without a response, with the remedy if there is one. */
function describeFailure(error: unknown, url: string, timeoutMs: number): string {
  const { code = '', name = '', message } = causeOf(error)
  const { host } = new URL(url)
  if (name === 'TooLarge') return `The answer of ${host} ${message}.`
  if (name === 'TimeoutError') return `${host} sent no complete answer within ${timeoutMs / 1000} s.`
  if (SILENCE.test(code)) return `${host} did not answer in time (${code}).`
  if (code === 'ECONNREFUSED') return `Nothing listens at ${host}. Start the server or correct the base URL.`
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `The host name ${host} cannot be resolved. Correct the base URL or the DNS.`
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'EPROTO')
    return `${host} does not speak TLS (${code}). Write the base URL with http:// if that is what it serves.`
  if (/^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(code))
    return `The TLS certificate of ${host} is not trusted (${code}: ${echoed(message ?? '')}). For a certificate authority of your own pass its file with --ca.`
  if (message === 'bad port')
    return `Port ${new URL(url).port} is one that fetch never contacts, by its standard. Serve on another port.`
  if (code === 'ECONNRESET' || code === 'UND_ERR_SOCKET')
    return `${host} closed the connection without a complete answer (${echoed(message ?? '')}).`
  return `The request to ${host} failed: ${code ? `${code}: ` : ''}${echoed(message ?? '')}.`
}

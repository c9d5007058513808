import type { Nothing } from './says-nothing.ts'
import type { Exchange } from './exchange.ts'
import { echoed } from '../redaction/secrets.ts'

/** No complete response came: wrong address, network or TLS failure, timeout, or a body that is too large. */
export class TransportError extends Error {
  override name = 'TransportError'
  readonly exchange: Exchange
  /** Whether the target exceeded the time or size limit. Such a request is not retried. */
  readonly exhausting: boolean
  /** Whether the target refused the connection. */
  readonly refused: boolean
  constructor(message: string, exchange: Exchange, exhausting: boolean, refused = false) {
    super(message)
    this.exchange = exchange
    this.exhausting = exhausting
    this.refused = refused
  }
}

const WHY: Readonly<Record<Exclude<Nothing, 'page'>, string>> = {
  busy: 'the target limited the requests with',
  late: 'the time was over:',
  gateway: 'something in front of the target answered with',
  cut: 'the reply ended early:',
}

/** A reply came that says nothing about its request. For whoever reads replies, it is as if none had come. */
export class Unserved extends TransportError {
  override name = 'Unserved'
  constructor(exchange: Exchange, nothing: Exclude<Nothing, 'page'>) {
    super(`${WHY[nothing]} HTTP ${exchange.response!.status}`, exchange, false)
  }
}

/** Names and codes of timeout errors. */
const TIMEOUT = /^(TimeoutError|UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT|ETIMEDOUT)$/

/**
 * Turns an error of `fetch` into a TransportError with a sentence for the report.
 *
 * @param hasAnswered whether the target has answered before
 */
export function transportError(
  error: unknown,
  exchange: Exchange,
  timeoutMs: number,
  hasAnswered = false,
): TransportError {
  const { code = '', name = '' } = causeOf(error)
  exchange.failure = describeFailure(error, exchange.request.url, timeoutMs, hasAnswered)
  return new TransportError(
    exchange.failure,
    exchange,
    name === 'TooLarge' || TIMEOUT.test(name) || TIMEOUT.test(code),
    code === 'ECONNREFUSED',
  )
}

/** Codes of an open connection that ends, and of a reply that is not HTTP. */
const BREAK = /^(ECONNRESET|EPIPE|UND_ERR_SOCKET|UND_ERR_RES_CONTENT_LENGTH_MISMATCH|HPE_\w+)$/

/** Whether an error ended a connection that was open. One that cannot be opened says nothing about a statement. */
export const breaksOff = (error: unknown): boolean => BREAK.test(causeOf(error).code ?? '')

const causeOf = (error: unknown) =>
  ((error as { cause?: unknown }).cause ?? error) as { code?: string; name?: string; message?: string }

/** Why no response came, with a remedy if there is one. */
function describeFailure(error: unknown, url: string, timeoutMs: number, hasAnswered: boolean): string {
  const { code = '', name = '', message } = causeOf(error)
  const { host } = new URL(url)
  if (name === 'TooLarge') return `The reply of ${host} ${message}.`
  if (name === 'TimeoutError') return `${host} sent no complete reply within ${timeoutMs / 1000} s.`
  if (TIMEOUT.test(code)) return `${host} did not reply in time (${code}).`
  if (code === 'ECONNREFUSED' && hasAnswered) return `${host} no longer accepts connections.`
  if (code === 'ECONNREFUSED') return `Nothing listens at ${host}. Start the server or correct the base URL.`
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `The host name ${host} cannot be resolved. Correct the base URL or the DNS.`
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'EPROTO')
    return `${host} does not speak TLS (${code}). If it serves HTTP, write the base URL with http://.`
  if (/^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(code))
    return `The TLS certificate of ${host} is not trusted (${code}: ${echoed(message ?? '')}). For a private certificate authority, pass its file with --ca.`
  if (message === 'bad port')
    return `The Fetch standard blocks port ${new URL(url).port}. Serve on another port.`
  if (code === 'ECONNRESET' || code === 'UND_ERR_SOCKET')
    return `${host} closed the connection before the reply was complete (${echoed(message ?? '')}).`
  return `The request to ${host} failed: ${code ? `${code}: ` : ''}${echoed(message ?? '')}.`
}

import type { Exchange } from './exchange.ts'
import { identityHeaders } from './identity.ts'
import { Stopped } from './limits.ts'
import { Size } from './size.ts'
import { breaksOff, transportError } from './transport-error.ts'
import { JsonTextDecoder } from '../../../base/text/json-text.ts'
import { untilAborted } from '../../../base/until-aborted.ts'

export interface Transport {
  fetch: typeof fetch
  /** Longest wait for a complete response, in milliseconds. */
  timeoutMs: number
  /** Aborts the request when the run ends. */
  signal: AbortSignal
  /** The User-Agent of the suite; without it, requests do not identify themselves. */
  userAgent?: string | undefined
  /** Called with the memory that a large body takes, in bytes, part by part. */
  onMemory?: (bytes: number) => void
  /** Whether the target has answered a request before. */
  hasAnswered?: boolean
  /** Whether the reply is soon forgotten, so that less of it counts as memory. */
  isForgotten?: boolean
}

/**
 * Sends a request and reads the complete response. Never follows redirects.
 *
 * @throws TransportError when no complete response comes
 * @throws Stopped when the run ends meanwhile
 */
export async function transfer(request: Exchange['request'], transport: Transport): Promise<Exchange> {
  const { method, url, headers, body } = request
  const { fetch, timeoutMs, signal } = transport
  const started = performance.now()
  const exchange: Exchange = { request, sentAt: started, durationMs: 0 }
  const deadline = endingBy(timeoutMs, signal)
  let hasHeaders = false
  try {
    const answer = fetch(url, {
      method,
      headers: { ...identityHeaders(transport.userAgent, headers), ...headers },
      redirect: 'manual',
      signal: deadline.signal,
      ...(method === 'GET' ? {} : { body }),
    }).then((response) => {
      hasHeaders = true
      return readResponse(response, transport)
    })
    exchange.response = await untilAborted(answer, deadline.signal)
  } catch (error) {
    if (signal.reason instanceof Stopped) throw signal.reason
    const failed = transportError(error, exchange, timeoutMs, transport.hasAnswered)
    if (!failed.exhausting && (hasHeaders || breaksOff(error)))
      exchange.broke = hasHeaders ? 'in the body' : 'before headers'
    throw failed
  } finally {
    exchange.durationMs = performance.now() - started
    deadline.clear()
  }
  return exchange
}

/**
 * A signal that aborts after a time, or when another one does. `AbortSignal.any` with `AbortSignal.timeout` is unreliable
 * on Node 20: the garbage collector may collect the timeout, which then never fires.
 */
function endingBy(ms: number, other: AbortSignal): { signal: AbortSignal; clear(): void } {
  const controller = new AbortController()
  const end = () => controller.abort(other.reason)
  const timer = setTimeout(() => controller.abort(new DOMException('too late', 'TimeoutError')), ms)
  if (other.aborted) end()
  other.addEventListener('abort', end)
  const clear = () => {
    clearTimeout(timer)
    other.removeEventListener('abort', end)
  }
  return { signal: controller.signal, clear }
}

async function readResponse(
  response: Response,
  { onMemory, isForgotten }: Transport,
): Promise<NonNullable<Exchange['response']>> {
  const { status, headers } = response
  const size = new Size(isForgotten)
  if (!response.body) return { status, headers, text: '', bytes: 0, memory: 0 }
  const decoder = new JsonTextDecoder()
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    const before = size.excess
    size.add(chunk)
    onMemory?.(size.excess - before)
    decoder.add(chunk)
  }
  return { status, headers, ...decoder.end(), bytes: size.bytes, memory: size.memory }
}

import { contract } from '../schemas/contract.ts'
import { AccessRefused, AnswerTooLarge, ClientUsageError, ConnectionFailed } from './errors.ts'
import { defaultLimits, endpointOf, type ClientOptions } from './options.ts'
import type { Answer } from './read-answer.ts'
import { readText, TooLong } from './read-text.ts'
import { untilAborted } from '../schemas/until-aborted.ts'

/** Sends one statement once and reads the complete answer. */
export type Send = (statement: string, signal: AbortSignal | undefined) => Promise<Answer>

/**
 * Creates a {@link Send} over HTTP. It does not follow redirects, so that the token stays with the service. An aborted signal
 * rejects with its reason.
 *
 * @throws ClientUsageError for invalid options
 */
export function createSend({
  baseUrl,
  token,
  fetch,
  headers,
  timeout = defaultLimits.timeout,
  maxBytes = defaultLimits.maxBytes,
}: ClientOptions): Send {
  const url = endpointOf(baseUrl)
  if (token === undefined || (typeof token === 'string' && !isToken(token)))
    throw new ClientUsageError(
      'The token is missing, empty or contains characters that a header cannot carry. Give an access token.',
    )

  return async function send(statement, signal) {
    if (typeof statement !== 'string') throw new ClientUsageError('The statement is not a string. Give SQL.')
    signal?.throwIfAborted()
    const current = typeof token === 'string' ? token : await untilAborted(askFor(token), signal)
    if (!isToken(current))
      throw new AccessRefused('The token function returned no usable token. Sign in again.', {
        statement,
      })
    const deadline = endingBy(timeout, signal)
    const request: RequestInit = {
      method: contract.endpoint.method,
      headers: { ...headers, authorization: `Bearer ${current}`, 'content-type': 'application/json' },
      body: JSON.stringify({ statement }),
      redirect: 'manual',
      signal: deadline.signal,
    }
    let status: number | undefined
    try {
      const answer = async (): Promise<Answer> => {
        const response = await (fetch ?? globalThis.fetch)(url, request)
        status = response.status
        return { status, headers: response.headers, text: await readText(response, maxBytes) }
      }
      return await untilAborted(answer(), deadline.signal)
    } catch (cause) {
      signal?.throwIfAborted()
      if (cause instanceof TooLong) throw new AnswerTooLarge(maxBytes, { statement, status })
      throw connectionFailed(cause, {
        statement,
        status,
        url,
        timeout: deadline.isOver() ? timeout : undefined,
      })
    } finally {
      deadline.clear()
    }
  }
}

const askFor = async (token: () => string | Promise<string>) => token()

const isToken = (token: unknown): token is string => typeof token === 'string' && /^[!-~]+$/.test(token)

interface Deadline {
  readonly signal: AbortSignal
  isOver(): boolean
  clear(): void
}

/** The longest time of a timer in milliseconds. A longer limit is none. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** Does not use `AbortSignal.any` and `timeout`: in Node 20, an unreferenced timeout may never fire. */
function endingBy(ms: number, other: AbortSignal | undefined): Deadline {
  const controller = new AbortController()
  let over = false
  const abort = () => controller.abort(other?.reason)
  const end = () => {
    over = true
    controller.abort(new DOMException(`no answer within ${ms} ms`, 'TimeoutError'))
  }
  const timer = ms > LONGEST_TIMER_MS ? undefined : setTimeout(end, ms)
  other?.addEventListener('abort', abort)
  const clear = () => {
    clearTimeout(timer)
    other?.removeEventListener('abort', abort)
  }
  return { signal: controller.signal, isOver: () => over, clear }
}

interface Circumstances {
  readonly statement: string
  readonly status: number | undefined
  readonly url: string
  /** The timeout of the client in milliseconds, if it ended the wait. */
  readonly timeout: number | undefined
}

/** A failure is retryable only without any answer; after a timeout, a retry would time out again. */
function connectionFailed(
  cause: unknown,
  { statement, status, url, timeout }: Circumstances,
): ConnectionFailed {
  const failed = { statement, status }
  if (timeout !== undefined)
    return new ConnectionFailed(
      `No complete answer arrived within the client timeout of ${timeout} ms. Read less, or raise the option timeout.`,
      false,
      failed,
      { cause },
    )
  if (status !== undefined)
    return new ConnectionFailed(
      `The answer (HTTP ${status}) was truncated. Read less, or split the statement.`,
      false,
      failed,
      { cause },
    )
  return new ConnectionFailed(
    `No answer from ${url}. Check that the service is reachable and, in a browser, that it allows this origin (CORS).`,
    true,
    failed,
    { cause },
  )
}

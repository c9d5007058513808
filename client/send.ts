import { contract } from '../schemas/contract.ts'
import { AccessRefused, ClientError, ConnectionFailed } from './errors.ts'
import { endpointOf, type ClientOptions } from './options.ts'
import type { Answer } from './read-answer.ts'
import { untilAborted } from '../schemas/until-aborted.ts'

/** Sends one statement once and reads the whole answer, whatever it is. */
export type Send = (statement: string, signal: AbortSignal | undefined) => Promise<Answer>

/**
 * A {@link Send} over HTTP (Endpoints > Execute a statement). Redirects are not followed: the token stays here. An
 * aborted signal rejects with its own reason.
 *
 * @throws ClientError for options that can not work
 */
export function createSend({ baseUrl, token, fetch, headers, timeout }: ClientOptions): Send {
  const url = endpointOf(baseUrl)
  if (typeof token === 'string' && !isToken(token))
    throw new ClientError('The token is empty or can not be sent in a header. Give an access token.')

  return async function send(statement, signal) {
    if (typeof statement !== 'string') throw new ClientError('A statement is a text of SQL.')
    signal?.throwIfAborted()
    const current = typeof token === 'string' ? token : await untilAborted(askFor(token), signal)
    if (!isToken(current))
      throw new AccessRefused('The token function gave none that can be sent in a header. Sign in again.', {
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
        return { status, headers: response.headers, text: await response.text() }
      }
      return await untilAborted(answer(), deadline.signal)
    } catch (cause) {
      signal?.throwIfAborted()
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

/** Not made of `AbortSignal.any` and `timeout`: on Node 20 a timeout that nothing else holds may never ring. */
function endingBy(ms: number | undefined, other: AbortSignal | undefined): Deadline {
  const controller = new AbortController()
  let over = false
  const abort = () => controller.abort(other?.reason)
  const end = () => {
    over = true
    controller.abort(new DOMException(`no answer within ${ms} ms`, 'TimeoutError'))
  }
  const timer = ms === undefined ? undefined : setTimeout(end, ms)
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
  /** The own limit in milliseconds, where it was that which ended the wait. */
  readonly timeout: number | undefined
}

/** Only what nobody answered may be sent again; what ran into the own limit would do so again. */
function connectionFailed(
  cause: unknown,
  { statement, status, url, timeout }: Circumstances,
): ConnectionFailed {
  const failed = { statement, status }
  if (timeout !== undefined)
    return new ConnectionFailed(
      `No whole answer came within the ${timeout} ms of the client's own timeout. Read less, or allow more.`,
      false,
      failed,
      { cause },
    )
  if (status !== undefined)
    return new ConnectionFailed(
      `The answer (HTTP ${status}) broke off before its end. Read less, or split the statement.`,
      false,
      failed,
      { cause },
    )
  return new ConnectionFailed(
    `No answer came from ${url}. Is the service reachable? (In a page: does it allow this origin, CORS?)`,
    true,
    failed,
    { cause },
  )
}

import { contract } from '../../schemas/contract.ts'
import { deadlineIn } from './deadline.ts'
import { AccessRefused, AnswerTooLarge, ClientUsageError, ConnectionFailed, type Failed } from '../errors.ts'
import { sendableHeaders } from './headers.ts'
import { defaultLimits, endpointOf, type ClientOptions } from '../options.ts'
import type { Answer } from './read-answer.ts'
import { readText, TooLong } from './read-text.ts'
import { redactorOf } from './redact.ts'

/** Sends one statement once and reads the complete answer. */
export type Send = <T>(
  statement: string,
  signal: AbortSignal | undefined,
  read: (answer: Answer) => T | Promise<T>,
) => Promise<T>

/**
 * Creates a {@link Send} over HTTP. It does not follow redirects, so that the token stays with the service. An aborted signal
 * rejects with its reason. The timeout covers all that is waited for: the token, the answer and `read`.
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
  const sendable = sendableHeaders(headers)
  if (token === undefined || (typeof token === 'string' && !isToken(token)))
    throw new ClientUsageError(
      'The token is missing, empty or contains characters that a header cannot carry. Give an access token.',
    )

  return async function send(statement, signal, read) {
    if (typeof statement !== 'string') throw new ClientUsageError('The statement is not a string. Give SQL.')
    signal?.throwIfAborted()
    const failed: { statement: string; status?: number } = { statement }
    const deadline = deadlineIn(timeout, signal)
    const answerTo = async (request: RequestInit, redact: Answer['redact']): Promise<Answer> => {
      const response = await (fetch ?? globalThis.fetch)(url, request)
      const { status, headers } = response
      failed.status = status
      return { status, headers, text: await readText(response, maxBytes), redact }
    }
    let late = ['The token function returned nothing', 'Let it end']
    try {
      const current = typeof token === 'string' ? token : await deadline.wait(askFor(token))
      if (!isToken(current))
        throw new AccessRefused('The token function returned no usable token. Sign in again.', failed)
      late = ['No complete answer arrived', 'Read less']
      const request: RequestInit = {
        method: contract.endpoint.method,
        headers: { ...sendable, authorization: `Bearer ${current}`, 'content-type': 'application/json' },
        body: JSON.stringify({ statement }),
        redirect: 'manual',
        signal: deadline.signal,
      }
      const answer = await deadline
        .wait(answerTo(request, redactorOf(current, sendable)))
        .catch((cause: unknown) => {
          deadline.signal.throwIfAborted()
          if (cause instanceof TooLong) throw new AnswerTooLarge(maxBytes, failed)
          if (fetch === undefined && !URL.canParse(url, pageAddress()))
            throw new ClientUsageError(
              'The base URL is a path, which needs the origin of a page. Write https://data.example.org.',
            )
          throw connectionFailed(cause, url, failed)
        })
      late = ['The answer was not checked', 'Leave out the option validate']
      return await deadline.wait((async () => read(answer))())
    } catch (cause) {
      if (!deadline.isOver()) throw cause
      throw new ConnectionFailed(
        `${late[0]} within the client timeout of ${timeout} ms. ${late[1]}, or raise the option timeout.`,
        false,
        failed,
        { cause },
      )
    } finally {
      deadline.clear()
    }
  }
}

const askFor = async (token: () => string | Promise<string>) => token()

/** The address to which a path is relative; none outside of a page. */
const pageAddress = () => (globalThis as { location?: { href: string } }).location?.href

const isToken = (token: unknown): token is string => typeof token === 'string' && /^[!-~]+$/.test(token)

/** A failure is retryable only without any answer. */
const connectionFailed = (cause: unknown, url: string, failed: Failed): ConnectionFailed =>
  failed.status === undefined
    ? new ConnectionFailed(
        `No answer from ${url}. Check that the service is reachable and, in a browser, that it allows this origin (CORS).`,
        true,
        failed,
        { cause },
      )
    : new ConnectionFailed(
        `The answer (HTTP ${failed.status}) was truncated. Read less, or split the statement.`,
        false,
        failed,
        { cause },
      )

import { http, type HttpHandler } from 'msw'
import { contract } from '../../schemas/contract.ts'
import { type Answer, answerWhole, toResponse } from '../app/answer.ts'
import { causeText } from '../app/cause.ts'
import { readable } from '../app/cors.ts'
import { type FaultList, Faults } from '../app/faults/faults.ts'
import { wholeWords } from '../app/faults/pattern.ts'
import { answerError } from '../app/outcome.ts'
import { createSettings } from '../app/settings.ts'
import { contractError, type ErrorKind, errorKinds } from '../app/sessions/contract-error.ts'
import { envelopeOf } from '../app/sessions/envelope.ts'
import { StatementTimeout } from '../statement.ts'
import { patternBelow } from './endpoint.ts'
import { MockError } from './options.ts'
import { addAnswered, statementIn } from './request-log.ts'

export interface OnOptions {
  /** Settings of the answer, as in `createMock`. */
  readonly variants?: Readonly<Record<string, string>>
}

const pattern = patternBelow()
const { success } = contract.messages

/**
 * Handlers for one test, `server.use(on.timeout())`: they answer the endpoint at any origin before the mock does,
 * until `server.resetHandlers()`.
 */
export const on = {
  /**
   * Answers 504, at once or after a time. The faults `latency` and `timeout`.
   *
   * @throws RangeError for an invalid time
   */
  timeout({ afterMs = 0, variants = {} }: OnOptions & { readonly afterMs?: number } = {}): HttpHandler {
    checkMs('afterMs', afterMs)
    const latency = afterMs > 0 ? [{ type: 'latency' as const, delayMs: afterMs }] : []
    return failing([...latency, 'timeout'], { variants, answer: neverAnswered })
  },

  /**
   * Answers every statement with an error of the contract's table.
   *
   * @throws MockError for an unknown kind
   */
  error(kind: ErrorKind, { variants = {} }: OnOptions = {}): HttpHandler {
    if (!errorKinds.includes(kind))
      throw new MockError(`There is no error "${kind}". Give one of: ${errorKinds.join(', ')}.`)
    const settings = createSettings(variants)
    return http.post(pattern, async ({ request }) => {
      const told = await addAnswered(request)
      const error = contractError(kind, statementIn(await request.clone().text()) ?? '')
      return answered(told, answerError(error, settings), error)
    })
  },

  /**
   * Answers matching statements with these rows; all others go on to the mock.
   *
   * @param match whole words of the statement, ignoring white space and case, such as the name of a view; or a RegExp
   * @throws MockError for a pattern that matches everything, or rows that are not an array
   */
  rows(match: string | RegExp, rows: readonly object[]): HttpHandler {
    if (typeof match === 'string' && match.trim() === '')
      throw new MockError('An empty text is part of every statement. Give the name of a view, or a RegExp.')
    if (typeof match !== 'string' && ['s', 'v'].every((letter) => found(match, letter)))
      throw new MockError(`${match} matches every statement. Give the name of a view, or another RegExp.`)
    if (!Array.isArray(rows))
      throw new MockError('The rows are not an array. Give an array of objects, as in `data`.')
    const body = envelopeOf(rows)
    return http.post(pattern, async ({ request }) => {
      const statement = statementIn(await request.clone().text())
      if (statement === undefined || !matches(statement, match)) return undefined
      return answered(await addAnswered(request), answerWhole(200, body))
    })
  },

  /**
   * Answers an HTTP status, 400 to 599, with the envelope: `on.status(503, { retryAfterMs: 1000 })`. The fault `status`.
   *
   * @throws FaultError for an invalid status
   */
  status(status: number, { retryAfterMs }: { readonly retryAfterMs?: number } = {}): HttpHandler {
    const fault = { type: 'status', status, ...(retryAfterMs !== undefined && { retryAfterMs }) } as const
    return failing([fault], { answer: neverAnswered })
  },

  /** Resets the connection instead of answering: `fetch` rejects. The fault `reset`. */
  reset: (): HttpHandler => failing(['reset'], { answer: neverAnswered }),

  /**
   * Answers 200 with rows, and breaks the connection after this many bytes of them. The fault `truncate`.
   *
   * @throws FaultError for an invalid number
   */
  truncate(bytes = 1000): HttpHandler {
    return failing([{ type: 'truncate', bytes }], { answer: () => answerWhole(200, longerThan(bytes)) })
  },

  /**
   * Passes a number of requests in each window on to the mock; answers the others with 429 and Retry-After. The fault
   * `limit`.
   *
   * @throws FaultError for invalid numbers
   */
  rateLimit({
    requests,
    windowMs = 1000,
  }: {
    readonly requests: number
    readonly windowMs?: number
  }): HttpHandler {
    return failing([{ type: 'limit', requests, windowMs }])
  },

  /**
   * Delays every answer of the mock. The fault `latency`.
   *
   * @throws RangeError for an invalid time
   */
  slow(ms: number): HttpHandler {
    checkMs('slow', ms)
    return failing([{ type: 'latency', delayMs: ms }])
  },
}

interface FailingOptions extends OnOptions {
  /** The answer to a request that no fault ends. Default: it goes on to the mock. */
  readonly answer?: () => Answer
}

/** For faults that end every request. */
const neverAnswered = (): Answer => answerWhole(500, '')

/** A handler that applies faults to every request. */
function failing(list: FaultList, { variants = {}, answer }: FailingOptions = {}): HttpHandler {
  const faults = new Faults(list)
  const settings = createSettings(variants)
  return http.post(pattern, async ({ request }) => {
    const told = answer && (await addAnswered(request))
    const applied = faults.open(contract.endpoint.path, true)!
    try {
      await applied.arrive(request.signal)
      await applied.decode('', request.signal)
    } catch (error) {
      if (request.signal.aborted) return Response.error()
      const cause = error instanceof StatementTimeout ? error : (error as Error).cause
      return answered(told ?? (await addAnswered(request)), answerError(error, settings), cause)
    }
    return told && answered(told, applied.alter(answer()), applied.brokenBy)
  })
}

/** An envelope with rows of more than this many bytes. */
function longerThan(bytes: number): string {
  const data = Array.from({ length: bytes / 8 + 1 }, (_, n) => ({ id: `${n}` }))
  return JSON.stringify({ data, status: { state: 'success', message: success } })
}

/** The answer as a response, and in the log of the mocks. */
function answered(told: Awaited<ReturnType<typeof addAnswered>>, answer: Answer, cause?: unknown): Response {
  const { status, break: failure } = answer
  told({ ...(failure !== 'reset' && { status }), ...(cause !== undefined && { cause: causeText(cause) }) })
  return toResponse(readable(answer))
}

const plain = (text: string) => text.trim().replaceAll(/\s+/g, ' ').toLowerCase()

const matches = (statement: string, match: string | RegExp): boolean =>
  typeof match === 'string' ? wholeWords(plain(match))(plain(statement)) : found(match, statement)

function found(match: RegExp, text: string): boolean {
  // a global expression continues at its last match
  match.lastIndex = 0
  return match.test(text)
}

function checkMs(what: string, ms: number): void {
  if (!(Number.isFinite(ms) && ms >= 0))
    throw new RangeError(`${what} is ${ms}. Give milliseconds from 0, such as 500.`)
}

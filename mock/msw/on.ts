import { http, type HttpHandler } from 'msw'
import { checkOptions, type OptionTypes } from '../../base/check-options.ts'
import { untilAborted } from '../../base/until-aborted.ts'
import { contract } from '../../schemas/contract.ts'
import { checkTimer } from '../../base/time/duration.ts'
import type { ViewName } from '../../schemas/generated/types.ts'
import type { Settings } from '../../schemas/open-points.ts'
import { type Answer, answerHeaders, answerWhole, toResponse } from '../app/answer/answer.ts'
import { causeText } from '../app/log/cause.ts'
import { readable } from '../app/request/cors.ts'
import { type FaultList, Faults } from '../app/faults/faults.ts'
import type { OtherWords } from '../app/faults/words.ts'
import { answerError } from '../app/answer/outcome.ts'
import { createSettings } from '../open-points/settings.ts'
import { contractError, envelopeOf, type ErrorKind, errorKinds } from '../app/sessions/contract-answers.ts'
import { rowsProblem } from '../rows/row-problems.ts'
import { rowsOfView } from '../app/sessions/rows-of-view.ts'
import { StatementTimeout } from '../statement.ts'
import { matchedPath } from './endpoint.ts'
import { MockError } from './options.ts'
import { addAnswered, statementIn } from './request-log.ts'
import { statementMatcher } from './statement-matcher.ts'

export interface OnOptions {
  /** Settings of the answer, as in `createMock`. */
  readonly variants?: Partial<Settings>
}

const types: OptionTypes<OnOptions> = { variants: 'object' }

const pattern = `*${matchedPath}`

/**
 * Handlers for one test. They answer the endpoint at any origin before the mock does, until `server.resetHandlers()`.
 * @example server.use(on.timeout())
 */
export const on = {
  /**
   * Answers 504, at once or after a delay. Uses the faults `latency` and `timeout`.
   * @example server.use(on.timeout({ afterMs: 200 }))
   * @throws RangeError for an invalid time, MockError for an option that does not exist
   */
  timeout(options: OnOptions & { readonly afterMs?: number } = {}): HttpHandler {
    checkOptions(options, { ...types, afterMs: 'number' }, MockError)
    const { afterMs = 0, variants = {} } = options
    checkTimer('afterMs', afterMs)
    const latency = afterMs > 0 ? [{ type: 'latency' as const, delayMs: afterMs }] : []
    return failing([...latency, 'timeout'], { variants, answer: neverAnswered })
  },

  /**
   * Answers every statement with a documented error.
   * @example server.use(on.error('unknown-view'))
   * @throws MockError for an unknown kind, or an option that does not exist
   */
  error(kind: ErrorKind, options: OnOptions = {}): HttpHandler {
    checkOptions(options, types, MockError)
    if (!errorKinds.includes(kind))
      throw new MockError(`There is no error "${kind}". Give one of: ${errorKinds.join(', ')}.`)
    const settings = createSettings(options.variants ?? {})
    return http.post(pattern, async ({ request }) => {
      const told = await addAnswered(request)
      const error = contractError(kind, statementIn(await request.clone().text()) ?? '')
      return answered(told, answerError(error, settings), error)
    })
  },

  /**
   * Answers matching statements with these rows. The mock answers all others.
   * @example server.use(on.rows('v_formulas', [{ id: 'f1', name: 'Yield' }]))
   * @param match whole words of the statement, ignoring white space and case, such as the name of a view; `*`; or a RegExp
   * @throws MockError for a RegExp that matches everything, a text that is too long, or rows that are not rows
   */
  rows<Text extends string>(
    match: ViewName | OtherWords<Text> | RegExp,
    rows: readonly object[],
  ): HttpHandler {
    const matches = statementMatcher(match)
    if (match instanceof RegExp && ['s', 'v'].every(matches))
      throw new MockError(
        `${match} matches every statement. Give the name of a view, another RegExp, or '*'.`,
      )
    const problem = rowsProblem(rows)
    if (problem !== undefined) throw new MockError(problem)
    const body = envelopeOf(rows)
    const problemOf = rowsOfView(match, rows)
    return http.post(pattern, async ({ request }) => {
      const statement = statementIn(await request.clone().text())
      if (statement === undefined || !matches(statement)) return undefined
      const told = await addAnswered(request)
      const problem = await problemOf(statement)
      if (problem === undefined) return answered(told, answerWhole(200, body))
      told({ status: 500, cause: problem })
      // msw prints it, and answers 500
      throw new MockError(problem)
    })
  },

  /**
   * Answers with an HTTP status, 400 to 599, and the envelope. Uses the fault `status`.
   * @example server.use(on.status(503, { retryAfterMs: 1000 }))
   * @throws FaultError for an invalid status, MockError for an option that does not exist
   */
  status(status: number, options: { readonly retryAfterMs?: number } = {}): HttpHandler {
    checkOptions(options, { retryAfterMs: 'number' }, MockError)
    const { retryAfterMs } = options
    const fault = { type: 'status', status, ...(retryAfterMs !== undefined && { retryAfterMs }) } as const
    return failing([fault], { answer: neverAnswered })
  },

  /**
   * Resets the connection instead of answering, so that `fetch` rejects. Uses the fault `reset`.
   * @example server.use(on.reset())
   */
  reset: (): HttpHandler => failing(['reset'], { answer: neverAnswered }),

  /**
   * Answers 200 with rows, and breaks the connection after this many bytes. Uses the fault `truncate`.
   * @example server.use(on.truncate(500))
   * @throws FaultError for an invalid number
   */
  truncate(bytes = 1000): HttpHandler {
    return failing([{ type: 'truncate', bytes }], {
      answer: () => ({ status: 200, headers: answerHeaders, body: endlessRows() }),
    })
  },

  /**
   * Passes a number of requests in each window on to the mock, and answers the others with 429 and Retry-After. Uses the
   * fault `limit`.
   * @example server.use(on.rateLimit({ requests: 5, windowMs: 1000 }))
   * @throws FaultError for invalid numbers, MockError for an option that does not exist
   */
  rateLimit(options: { readonly requests: number; readonly windowMs?: number }): HttpHandler {
    checkOptions(options, { requests: 'number', windowMs: 'number' }, MockError)
    const { requests, windowMs = 1000 } = options
    return failing([{ type: 'limit', requests, windowMs }])
  },

  /**
   * Delays every answer of the mock by a number of milliseconds. Uses the fault `latency`. With `Infinity`, no answer ever
   * comes, and the request ends when the client leaves.
   * @example server.use(on.slow(300))
   * @throws RangeError for an invalid time
   */
  slow(ms: number): HttpHandler {
    if (ms === Infinity)
      return http.post(pattern, async ({ request }) => {
        await addAnswered(request)
        return untilAborted(new Promise<never>(() => {}), request.signal).catch(() => Response.error())
      })
    checkTimer('slow', ms)
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

/** An envelope whose rows do not end, part by part. */
function endlessRows(): ReadableStream<Uint8Array> {
  const utf8 = new TextEncoder()
  const rows = utf8.encode(',{"id":"1"}'.repeat(1000))
  return new ReadableStream({
    start: (controller) => controller.enqueue(utf8.encode('{"data":[{"id":"0"}')),
    pull: (controller) => controller.enqueue(rows),
  })
}

/** The answer as a response, and in the log of the mocks. */
function answered(told: Awaited<ReturnType<typeof addAnswered>>, answer: Answer, cause?: unknown): Response {
  const { status, break: failure } = answer
  told({ ...(failure !== 'reset' && { status }), ...(cause !== undefined && { cause: causeText(cause) }) })
  return toResponse(readable(answer))
}

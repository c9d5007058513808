import { http, type HttpHandler } from 'msw'
import { contract } from '../../schemas/contract.ts'
import { type Answer, answerWhole, errorEnvelope, toResponse } from '../app/answer.ts'
import { createSettings } from '../app/settings.ts'
import { causeText } from '../app/cause.ts'
import { wholeWords } from '../app/faults/pattern.ts'
import { truncateAnswer } from '../app/faults/alter-answer.ts'
import type { Fault } from '../app/faults/fault.ts'
import { Faults } from '../app/faults/faults.ts'
import { readFault } from '../app/faults/read-fault.ts'
import { answerError } from '../app/outcome.ts'
import { Refusal } from '../app/refusal.ts'
import { SqlError, StatementTimeout } from '../engine/engine.ts'
import { delay } from '../app/delay.ts'
import { patternBelow } from './endpoint.ts'
import { MockError } from './options.ts'
import { addAnswered, statementIn } from './request-log.ts'

/** The conditions of the contract's error table. */
export type ErrorKind = 'syntax' | 'unknown-view' | 'exception'

export interface OnOptions {
  /** What the service does where the contract is silent, as in `createMock`. */
  readonly variants?: Readonly<Record<string, string>>
}

const pattern = patternBelow()
const { success, empty } = contract.messages

/**
 * Handlers for one test, `server.use(on.timeout())`: they answer the endpoint at any origin before the mock does,
 * until `server.resetHandlers()`.
 */
export const on = {
  /**
   * Answers with the contract's 504: at once, or after as long as it would take.
   *
   * @throws RangeError for a time that is none
   */
  timeout({ afterMs = 0, variants = {} }: OnOptions & { readonly afterMs?: number } = {}): HttpHandler {
    checkMs('afterMs', afterMs)
    const settings = createSettings(variants)
    return http.post(pattern, async ({ request }) => {
      const told = await addAnswered(request)
      if (afterMs > 0 && (await isLeft(request, afterMs))) return Response.error()
      const error = new StatementTimeout(contract.limits.executionMs)
      return answered(told, answerError(error, settings), error)
    })
  },

  /**
   * Answers with an error of the contract's table, whatever the statement.
   *
   * @throws MockError for a kind that is none
   */
  error(kind: ErrorKind, { variants = {} }: OnOptions = {}): HttpHandler {
    const failure = failures[kind]
    if (!Object.hasOwn(failures, kind))
      throw new MockError(`There is no error "${kind}". Give one of: ${Object.keys(failures).join(', ')}.`)
    const settings = createSettings(variants)
    return http.post(pattern, async ({ request }) => {
      const told = await addAnswered(request)
      const error = failure(statementIn(await request.clone().text()) ?? '')
      return answered(told, answerError(error, settings), error)
    })
  },

  /**
   * Answers statements that match with these rows; all others go on to the mock.
   *
   * @param match whole words of the statement, white space and capitals aside, such as the name of a view; or a RegExp
   * @throws MockError for a pattern that matches everything or rows that are none
   */
  rows(match: string | RegExp, rows: readonly object[]): HttpHandler {
    if (typeof match === 'string' && match.trim() === '')
      throw new MockError('An empty text is part of every statement. Give the name of a view, or a RegExp.')
    if (typeof match !== 'string' && ['s', 'v'].every((letter) => found(match, letter)))
      throw new MockError(`${match} matches every statement. Give the name of a view, or another RegExp.`)
    if (!Array.isArray(rows))
      throw new MockError('The rows are no array. Give an array of objects, as `data` is to hold them.')
    const status = { state: 'success', message: rows.length === 0 ? empty : success }
    const body = JSON.stringify({ data: rows, status })
    return http.post(pattern, async ({ request }) => {
      const statement = statementIn(await request.clone().text())
      if (statement === undefined || !matches(statement, match)) return undefined
      return answered(await addAnswered(request), answerWhole(200, body))
    })
  },

  /**
   * Answers an HTTP status, 400 to 599, with the envelope: `on.status(503, { retryAfterMs: 1000 })`.
   *
   * @throws FaultError for a status that is none
   */
  status(status: number, { retryAfterMs }: { readonly retryAfterMs?: number } = {}): HttpHandler {
    return failing({ type: 'status', status, ...(retryAfterMs !== undefined && { retryAfterMs }) })
  },

  /** Breaks the connection instead of answering: `fetch` rejects. */
  reset(): HttpHandler {
    return http.post(pattern, async ({ request }) => {
      const told = await addAnswered(request)
      told({ cause: 'Fault: reset' })
      return Response.error()
    })
  },

  /**
   * Answers 200 and rows, and breaks the connection after so many bytes of them.
   *
   * @throws FaultError for a number that is none
   */
  truncate(bytes = 1000): HttpHandler {
    const fault = { type: 'truncate', bytes } as const
    readFault(fault)
    return http.post(pattern, async ({ request }) => {
      const told = await addAnswered(request)
      const data = Array.from({ length: bytes / 8 + 1 }, (_, n) => ({ id: `${n}` }))
      const body = JSON.stringify({ data, status: { state: 'success', message: success } })
      return answered(told, truncateAnswer(answerWhole(200, body), fault), `Fault: truncate:${bytes}`)
    })
  },

  /**
   * Lets so many requests pass to the mock in each window; the others are answered with 429 and Retry-After.
   *
   * @throws FaultError for numbers that are none
   */
  rateLimit({
    requests,
    windowMs = 1000,
  }: {
    readonly requests: number
    readonly windowMs?: number
  }): HttpHandler {
    return failing({ type: 'limit', requests, windowMs })
  },

  /**
   * Lets every answer wait; what is answered, the mock decides.
   *
   * @throws RangeError for a time that is none
   */
  slow(ms: number): HttpHandler {
    checkMs('slow', ms)
    return http.post(pattern, async ({ request }) =>
      (await isLeft(request, ms)) ? Response.error() : undefined,
    )
  },
}

const failures: Readonly<Record<ErrorKind, (statement: string) => SqlError>> = {
  syntax: (statement) => {
    const near = statement.trim().split(/\s+/)[0] || 'SELEC'
    return new SqlError('syntax', `syntax error at or near "${near}"`, '42601')
  },
  'unknown-view': (statement) => {
    const view = /\bfrom\s+"?(\w+)/i.exec(statement)?.[1] ?? 'v_unknown'
    return new SqlError('unknown-relation', `relation "${view}" does not exist`, '42P01', view)
  },
  exception: () => new SqlError('other', 'an exception was asked for', 'XX000'),
}

/** Requests that the fault does not strike go on to the mock. */
function failing(fault: Fault): HttpHandler {
  const faults = new Faults([fault])
  return http.post(pattern, async ({ request }) => {
    try {
      await faults.open(contract.endpoint.path, true)?.arrive(request.signal)
      return undefined
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const answer = errorEnvelope(error.status, error.message, error.headers)
      return answered(await addAnswered(request), answer, error.cause)
    }
  })
}

/** The answer as a response, and in the log of the mocks. */
function answered(told: Awaited<ReturnType<typeof addAnswered>>, answer: Answer, cause?: unknown): Response {
  told({ status: answer.status, ...(cause !== undefined && { cause: causeText(cause) }) })
  return toResponse(answer)
}

const plain = (text: string) => text.trim().replaceAll(/\s+/g, ' ').toLowerCase()

const matches = (statement: string, match: string | RegExp): boolean =>
  typeof match === 'string' ? wholeWords(plain(match))(plain(statement)) : found(match, statement)

function found(match: RegExp, text: string): boolean {
  // a global one begins where it last ended
  match.lastIndex = 0
  return match.test(text)
}

/** Waits; true when the client left meanwhile. */
const isLeft = (request: Request, ms: number): Promise<boolean> =>
  delay(ms, request.signal).then(
    () => false,
    () => true,
  )

function checkMs(what: string, ms: number): void {
  if (!(Number.isFinite(ms) && ms >= 0))
    throw new RangeError(`${what} is ${ms}. Give milliseconds from 0, such as 500.`)
}

import { deadlineIn } from '../../request/deadline.ts'
import {
  AccessRefused,
  ConnectionFailed,
  createClient,
  ServiceBusy,
  StatementError,
  StatementSyntaxError,
  TruncatedResult,
  UnknownView,
  type ClientOptions,
} from '../../index.ts'
import { sleep, untilAborted } from '../../../base/until-aborted.ts'
import { RecordingError } from '../recording-error.ts'
import { type Budget, BudgetSpent } from './budget.ts'
import { reasonOf } from './reason.ts'

export type Row = Record<string, unknown>

/** The rows of a statement, or why there are none. */
export type Asked =
  | { readonly rows: Row[] }
  /** Fewer rows may be answered. `rows`: what the service says it has cut to. */
  | { readonly tooMuch: string; readonly rows?: undefined; readonly cutTo?: number }
  /** A smaller statement would not help either. */
  | { readonly refused: string; readonly rows?: undefined; readonly tooMuch?: undefined }

/** Sends one statement at a time. The reasons hold no words of the service, which may repeat its ids and names. */
export type Ask = (statement: string, columns: readonly string[]) => Promise<Asked>

export interface AskerOptions extends Pick<ClientOptions, 'baseUrl' | 'fetch' | 'headers'> {
  readonly token: string | null
  readonly renewToken?: (() => Promise<string>) | undefined
  /** The shortest time between two requests, in milliseconds. Default: 0. */
  readonly pauseMs?: number
  readonly signal?: AbortSignal | undefined
  /** Called before a wait and with each new error message of the service, with a sentence. */
  readonly say?: (line: string) => void
}

/** Tries of a statement without an answer, or answered 429 or 503. */
const TRIES = 10
/** As long as nothing was answered at all: the address is probably wrong. */
const FIRST_TRIES = 3
/** The first wait without a Retry-After, in milliseconds; it doubles with each try. */
const FIRST_WAIT_MS = 1000
/** The longest Retry-After to wait for, in milliseconds. */
const LONGEST_WAIT_MS = 15 * 60_000

/**
 * Creates an {@link Ask} that keeps to a budget, waits as Retry-After says and gets a new token once it expires.
 *
 * It throws BudgetSpent, RecordingError if the service does not accept statements any more, or the reason of the signal.
 */
export function createAsk(options: AskerOptions, budget: Budget): Ask {
  const { pauseMs = 0, say = () => {}, renewToken } = options
  let token = options.token
  let answered = false
  // it sends each statement once
  const client = createClient({
    baseUrl: options.baseUrl,
    token: () => token ?? 'no-token',
    ...(options.headers && { headers: options.headers }),
    fetch: async (url, init) => {
      const headers = new Headers(init?.headers)
      if (token === null) headers.delete('authorization')
      const response = await (options.fetch ?? fetch)(url, { ...init, headers })
      answered = true
      return counted(response, budget)
    },
  })
  /** The last token with which rows came: a 403 may refuse it now, or withhold a view. */
  let servedWith: string | null | undefined
  const said = new Set<string>()

  return async function ask(statement, columns) {
    options.signal?.throwIfAborted()
    // also ends pauses and the wait for a token
    const deadline = deadlineIn(budget.msLeft, options.signal)
    try {
      return await answerTo(statement, columns, deadline.signal)
    } catch (error) {
      if (deadline.isOver()) budget.checkTime(Infinity)
      throw error
    } finally {
      deadline.clear()
    }
  }

  async function answerTo(
    statement: string,
    columns: readonly string[],
    signal: AbortSignal,
  ): Promise<Asked> {
    for (let attempt = 1, renewed = false; ; attempt++) {
      if (pauseMs > 0) await sleep(pauseMs, signal)
      budget.countRequest()
      try {
        const rows = await client.query(statement, { columns, signal })
        servedWith = token
        budget.rows += rows.length
        return { rows }
      } catch (error) {
        if (!(error instanceof StatementError)) throw error
        if (error.cause instanceof BudgetSpent) throw error.cause
        const refused = error instanceof AccessRefused && (error.status !== 403 || servedWith === token)
        if (refused && renewToken && !renewed) {
          renewed = true
          token = await untilAborted(renewToken(), signal)
        } else if (error.retryable) await waitFor(error, attempt, signal)
        else {
          sayOnce(error)
          return outcomeOf(error, servedWith !== undefined)
        }
      }
    }
  }

  /** The folder does not repeat the words of the service, so the terminal does. */
  function sayOnce({ message, serviceMessage }: StatementError): void {
    const words = serviceMessage === undefined ? message : `The service says: ${serviceMessage}`
    if (said.has(words)) return
    said.add(words)
    say(words)
  }

  async function waitFor(error: StatementError, attempt: number, signal: AbortSignal): Promise<void> {
    const requested = error instanceof ServiceBusy ? error.retryAfterMs : undefined
    const wait = requested ?? FIRST_WAIT_MS * 2 ** (attempt - 1)
    const reason = error instanceof ConnectionFailed ? unanswered(options.baseUrl, error) : error.message
    if (attempt >= (answered ? TRIES : FIRST_TRIES) || wait > LONGEST_WAIT_MS)
      throw new RecordingError(`${reason} Tried ${attempt} times; start the recording again later.`)
    budget.checkTime(wait)
    if (wait >= FIRST_WAIT_MS) say(`waiting ${Math.ceil(wait / 1000)} s: ${reason}`)
    await sleep(wait, signal)
  }
}

/** The client also addresses pages, which a recording is not. */
function unanswered(baseUrl: string, { cause }: ConnectionFailed): string {
  const { code, message } = ((cause as Error).cause ?? cause) as NodeJS.ErrnoException
  return `No answer from ${baseUrl} (${code ?? message}). Check the base URL and that the service is reachable.`
}

/** The answer; the budget counts its bytes while they arrive. */
function counted(response: Response, budget: Budget): Response {
  if (!response.body) return response
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform: (part, controller) => {
      budget.countBytes(part.byteLength)
      controller.enqueue(part)
    },
  })
  // a Response cannot be made with every status; the client reads these members
  const { status, headers } = response
  return { status, headers, body: response.body.pipeThrough(counter) } as Response
}

/** @throws RecordingError if the service refuses the token for every view */
function outcomeOf(error: StatementError, succeeded: boolean): Asked {
  if (error instanceof TruncatedResult) return { tooMuch: error.message, cutTo: error.rows.length }
  const reason = reasonOf(error)
  if (error instanceof AccessRefused) {
    if (succeeded && error.status !== 401 && error.status !== 419) return { refused: reason }
    throw new RecordingError(`${error.message} Then start the recording again; it continues.`)
  }
  if (error instanceof UnknownView || error instanceof StatementSyntaxError) return { refused: reason }
  // a service may answer an error, a 413 or a truncated body to a statement of too many rows
  return { tooMuch: reason }
}

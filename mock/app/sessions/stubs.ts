import type { ViewName } from '../../../schemas/generated/types.ts'
import { PLAIN_VIEW } from '../../../schemas/views.ts'
import { longestTimerMs } from '../../../base/time/duration.ts'
import { kindOf } from '../../statement-kind.ts'
import { answerWhole, type Answer } from '../answer/answer.ts'
import { type Matches, statementsWith, type OtherWords, viewProblem, wordsProblem } from '../faults/words.ts'
import { systemClock } from '../faults/clock.ts'
import { Refusal } from '../answer/refusal.ts'
import { contractError, envelopeOf, type ErrorKind, errorKinds } from './contract-answers.ts'
import { rowsProblem } from '../../rows/row-problems.ts'
import { rowsOfView } from './rows-of-view.ts'

/** The statements that a stub answers. */
export type StubMatch<Text extends string = string> =
  /** `*`, or words next to each other, such as `limit 5` or the name of a view. */
  | ViewName
  | OtherWords<Text>
  /** Statements that differ from this one in numbers and quoted texts alone. */
  | { readonly shape: string }

/** An answer that a test prescribes. */
export interface Stub<Text extends string = string> {
  readonly match: StubMatch<Text>
  /** Answers 200 with these rows, as they are. */
  readonly rows?: readonly object[]
  /** Answers with an error of the contract's table. */
  readonly error?: ErrorKind
  /** Answers an HTTP status, 400 to 599. */
  readonly status?: number
  /** Waits before the answer, in milliseconds. Alone, it delays the statement. */
  readonly delayMs?: number
  /** How many statements it answers. Default: all. */
  readonly times?: number
}

/** A stub and the number of statements that it answered. */
export interface StubStatus {
  readonly stub: Stub
  readonly answered: number
}

/** The stub cannot be used; the message names the remedy. */
export class StubError extends Error {
  override readonly name = 'StubError'
}

/** Most stubs of a session. */
const mostStubs = 1000

interface Entry {
  readonly stub: Stub
  readonly matches: Matches
  /** Why its rows are no answer to a statement. */
  readonly problemOf: (statement: string) => Promise<string | undefined>
  /** How many statements came before it. */
  since: number
  answered: number
}

/** The stubs of a session. The first one that matches a statement answers it. */
export class Stubs {
  #entries: readonly Entry[] = []
  #asked = 0

  /** Sets these stubs in place of all others. @throws StubError, and changes nothing */
  replace(stubs: readonly Stub[]): void {
    this.#entries = this.#checked(stubs)
  }

  /** Adds stubs before the others. @throws StubError, and changes nothing */
  add(stubs: readonly Stub[]): void {
    const added = this.#checked(stubs)
    if (this.#entries.length + added.length > mostStubs)
      throw new StubError(
        `There are already ${this.#entries.length} stubs. Remove some with DELETE /_mock/stubs.`,
      )
    this.#entries = [...added, ...this.#entries]
  }

  list(): StubStatus[] {
    return this.#entries.map(({ stub, answered }) => ({ stub, answered }))
  }

  /** A sentence for each match that no statement met, although some came: it may have a spelling mistake. */
  unanswered(): string[] {
    const met = new Set(this.#entries.filter(({ answered }) => answered > 0).map(matchOf))
    const waiting = this.#entries.filter(({ since }) => since < this.#asked).map(matchOf)
    return [...new Set(waiting)]
      .filter((text) => !met.has(text))
      .map(
        (text) =>
          `The stub ${text} answered no statement. Compare it with those that were sent, or take it out.`,
      )
  }

  #checked(stubs: readonly Stub[]): Entry[] {
    return stubs.map((stub) => ({ ...checked(stub), since: this.#asked, answered: 0 }))
  }

  /**
   * The answer to a statement; undefined if it runs.
   *
   * @param hasForm whether rows have the form of the contract, which variants change
   * @throws SqlError or Refusal for a stub with an error or a status, StubError for rows that are none of its view
   * @throws the signal's reason
   */
  async answer(statement: string, signal: AbortSignal, hasForm = () => true): Promise<Answer | undefined> {
    this.#asked += 1
    const entry = this.#entries.find(
      ({ stub, answered, matches }) => answered < (stub.times ?? Infinity) && matches(statement),
    )
    if (!entry) return undefined
    entry.answered += 1
    const { delayMs, error, status, rows } = entry.stub
    if (delayMs !== undefined) await systemClock.sleep(delayMs, signal)
    if (error !== undefined) throw contractError(error, statement)
    if (status !== undefined) throw new Refusal(status, `HTTP ${status}, as a stub was asked to answer.`)
    const problem = rows && hasForm() ? await entry.problemOf(statement) : undefined
    if (problem !== undefined) throw new StubError(problem)
    return rows && answerWhole(200, envelopeOf(rows))
  }
}

const parts = ['match', 'rows', 'error', 'status', 'delayMs', 'times']

function checked(stub: Stub): Omit<Entry, 'since' | 'answered'> {
  const problem = problemOf(stub)
  if (problem !== undefined) throw new StubError(`The stub ${shortened(stub)} ${problem}`)
  const { match, rows } = stub
  return { stub, matches: matcherOf(match), problemOf: rowsOfView(match, rows) }
}

/** The end of a sentence; undefined if the stub is valid. */
function problemOf(stub: Stub): string | undefined {
  if (typeof stub !== 'object' || stub === null)
    return `is not an object. Send {"match": "${PLAIN_VIEW}", "rows": []}.`
  const unknown = Object.keys(stub).filter((name) => !parts.includes(name))
  if (unknown.length > 0)
    return `has the unknown member ${unknown.join(', ')}. The members are: ${parts.join(', ')}.`
  const { match, rows, error, status, delayMs, times } = stub
  const answers = [rows, error, status].filter((answer) => answer !== undefined)
  if (answers.length > 1) return 'has several answers. Give one of rows, error and status.'
  if (answers.length === 0 && delayMs === undefined)
    return 'has no answer. Give rows, error, status or delayMs.'
  const problem = rows === undefined ? undefined : rowsProblem(rows)
  if (problem !== undefined) return `is none that a service answers. ${problem}`
  if (error !== undefined && !errorKinds.includes(error))
    return `has an unknown error. Give one of: ${errorKinds.join(', ')}.`
  if (status !== undefined && !(Number.isSafeInteger(status) && status >= 400 && status <= 599))
    return 'has an invalid status. Give a whole number from 400 to 599.'
  if (delayMs !== undefined && !(Number.isFinite(delayMs) && delayMs >= 0 && delayMs <= longestTimerMs))
    return `has an invalid delayMs. Give milliseconds from 0 to ${longestTimerMs}, such as 500.`
  if (times !== undefined && !(Number.isSafeInteger(times) && times >= 1))
    return 'has invalid times. Give a whole number of at least 1.'
  return matchProblem(match)
}

function matchProblem(match: unknown): string | undefined {
  if (typeof match === 'string') {
    if (match.trim() === '') return 'matches nothing. Give * or words, such as the name of a view.'
    const problem = wordsProblem(match)
    return problem === undefined ? undefined : `has a match that does not work. ${problem}`
  }
  const shape = (match as { shape?: unknown } | undefined)?.shape
  if (typeof shape !== 'string' || shape.trim() === '')
    return 'has no match. Give *, words such as the name of a view, or {"shape": "<statement>"}.'
  const problem = viewProblem(kindOf(shape))
  return problem === undefined ? undefined : `has a match that does not work. ${problem}`
}

function matcherOf(match: StubMatch): Matches {
  if (typeof match === 'string') return statementsWith(match)
  const kind = kindOf(match.shape)
  return (statement) => kindOf(statement) === kind
}

const shortened = (stub: unknown): string => {
  const text = JSON.stringify(stub) ?? String(stub)
  return text.length > 200 ? `${text.slice(0, 199)}…` : text
}

const matchOf = ({ stub }: Entry): string => shortened({ match: stub.match })

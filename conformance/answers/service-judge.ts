import { judgeRows, rowRules, textOf, type Row, type RowRule } from '../../invariants/index.ts'
import { requirement, type ViewName } from '../../schemas/index.ts'
import { namedExchanges, type TrafficFinding, violationOf } from '../../schemas/traffic-finding.ts'
import type { Exchange } from '../connection/http/exchange.ts'
import { plain } from '../connection/values/json.ts'
import { declaresJson } from '../connection/http/reply.ts'
import { isGatewayReply } from '../connection/http/says-nothing.ts'
import type { SqlOutcome } from '../samples/outcomes.ts'
import { answerOf, type Answer } from './answers.ts'
import {
  dataWithoutRows,
  emptyMessage,
  isServed,
  missingMember,
  wrongMessage,
  wrongState,
} from './outcome-problems.ts'

/** What the answers of a service show about one requirement. */
export type ServiceFinding = TrafficFinding

/** Judges the answers of a service by the rules that hold for every answer, whoever asked. Keeps no bodies. */
export interface ServiceJudge {
  /** @param number names the exchange in findings */
  add(exchange: Exchange, number: number): void
  findings(): ServiceFinding[]
}

/** What an answer shows: undefined if nothing, true if it meets the requirement, otherwise the problem. */
type Judged = true | string | undefined

const onOutcome =
  (problemOf: (outcome: SqlOutcome) => string | undefined) =>
  ({ reply, sql }: Answer): Judged => {
    const isOutcome =
      sql !== undefined && !isGatewayReply(reply) && (reply.envelope || isServed(reply.status))
    if (!isOutcome) return undefined
    const problem = problemOf({ to: '', kind: reply.envelope?.state === 'error' ? 'error' : 'rows', reply })
    return problem === undefined ? true : `the answer has ${problem}`
  }

const rules: readonly (readonly [id: string, judge: (answer: Answer) => Judged])[] = [
  ['REQ-HTTP-4', onOutcome(missingMember)],
  ['REQ-HTTP-5', onOutcome(wrongState)],
  ['REQ-HTTP-6', onOutcome(dataWithoutRows)],
  ['REQ-HTTP-7', onOutcome(wrongMessage)],
  ['REQ-HTTP-7:should', onOutcome(emptyMessage)],
  [
    'REQ-HTTP-8:should',
    ({ reply: { ok, status } }) =>
      ok ? isServed(status) || `a success has the status ${status}` : undefined,
  ],
  [
    'REQ-HTTP-12',
    ({ reply }) => (reply.ok ? declaresJson(reply) || 'a success does not declare JSON' : undefined),
  ],
  [
    'REQ-SQL-3',
    ({ reply, statement }) => {
      const limit = statement?.limit
      if (limit === undefined || !reply.ok) return undefined
      const { length } = reply.data
      return length <= limit || `${length} rows for LIMIT ${limit}`
    },
  ],
]

/**
 * Creates a judge of one service, which passes no requests itself.
 *
 * @example
 * const judge = createServiceJudge()
 * judge.add(exchange, 1)
 * const failed = judge.findings().filter(({ outcome }) => outcome === 'fail')
 */
export function createServiceJudge(): ServiceJudge {
  const tallies = new Map<string, Tally>()
  const tally = (id: string): Tally => {
    const known = tallies.get(id) ?? new Tally(id)
    tallies.set(id, known)
    return known
  }
  for (const [id] of rules) tally(id)
  return {
    add: (exchange, number) => {
      const answer = answerOf(exchange)
      for (const [id, judge] of rules) tally(id).judge(judge(answer), number)
      for (const [id, judged] of rowFindings(answer)) tally(id).judge(judged, number)
    },
    findings: () => [...tallies.values()].map((one) => one.finding()),
  }
}

/** What the rows of an answer show about each requirement of rows. */
function* rowFindings({ rows: found }: Answer): Generator<readonly [id: string, judged: Judged]> {
  for (const { view, rows, columns, joined } of found) {
    const read = rows.map((row) => plain(row) as Row)
    for (const rule of Object.values<RowRule>(rowRules)) {
      // a join repeats rows
      if (!rule.views.includes(view) || (joined && rule.amongRows)) continue
      const { judged, violations } = judgeRows(rule, view, read, columns)
      if (judged > 0) yield [rule.requirement(view), violations.length === 0 || problemOf(view, violations)]
    }
  }
}

function problemOf(view: ViewName, violations: ReturnType<typeof judgeRows>['violations']): string {
  const [first] = violations
  const expected = textOf(first!.expected, () => 'a value')
  return `${first!.column} of ${view} is not ${expected} in ${violations.length} rows of an answer`
}

class Tally {
  readonly #id: string
  readonly #shownBy: number[] = []
  #basis = 0
  #violations = 0
  #first: string | undefined

  constructor(id: string) {
    this.#id = id
  }

  judge(judged: Judged, number: number): void {
    if (judged === undefined) return
    this.#basis++
    if (judged === true) return
    this.#violations++
    this.#first ??= judged
    if (this.#shownBy.length < namedExchanges && this.#shownBy.at(-1) !== number) this.#shownBy.push(number)
  }

  finding(): ServiceFinding {
    const { level, text } = requirement(this.#id)
    const shown = { requirement: this.#id, level, shownBy: [...this.#shownBy] }
    if (this.#basis === 0)
      return { ...shown, outcome: 'not exercised', sentence: 'No answer shows it.', basis: 0 }
    if (this.#first === undefined)
      return { ...shown, outcome: 'pass', sentence: `${this.#basis} answers: ${text}`, basis: this.#basis }
    const outcome = violationOf(level)
    const sentence = `${this.#violations} of ${this.#basis} answers: ${this.#first}.`
    return { ...shown, outcome, sentence, basis: this.#violations }
  }
}

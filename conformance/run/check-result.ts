import {
  columnClause,
  contractPage,
  isScored,
  requirement,
  requirementAnchor,
  sentenceOf,
  type CheckResult,
  type RequirementSetName,
} from '../../schemas/index.ts'
import type { Disclosure } from '../connection/redaction/disclosure.ts'
import { excerpt } from '../connection/redaction/excerpt.ts'
import { curlOf, evidenceOf } from '../connection/http/exchange.ts'
import type { Secrets } from '../connection/redaction/secrets.ts'
import type { Settled } from './settle.ts'

export interface ResultOptions {
  /** Removed from all texts of the report. */
  secrets: Secrets
  disclosure: Disclosure
  /** Default `next`: every check counts. */
  requirementSet?: RequirementSetName | undefined
  /** Changes the finished result, for example to waive it. */
  amend?: (result: CheckResult) => CheckResult
}

/** The outcome of a failed check, by the level of its requirement. */
const OF_FAILURE = { must: 'fail', should: 'warn', observe: 'observed' } as const

const outside = (set: RequirementSetName): string =>
  `The requirement set ${set} does not have the check; it can fail a target that is judged by another set.`

/** The result of a check for the report. */
export function resultOf({ check, finding, durationMs }: Settled, options: ResultOptions): CheckResult {
  const tested = requirement(check.requirement)
  const { level } = tested
  const { outcome, message, notes = [], expected, actual, cause, columns = [], exchanges = [] } = finding
  const { secrets, disclosure, amend = (result) => result } = options
  const failed = outcome === 'fail'
  const isWrong = failed || outcome === 'warn'
  const { requirementSet: set = 'next' } = options
  const isNote = isWrong && !isScored(check, set)
  const allNotes = isNote ? [...notes, outside(set)] : notes
  const curls = isWrong ? exchanges.map((exchange) => excerpt(curlOf(exchange, options.secrets))) : []
  const safe = (text: string) => secrets.forReport(text)
  const cited = columns.flatMap(({ view, column }) => columnClause(view, column) ?? [])
  return amend({
    id: check.id,
    requirement: check.requirement,
    level,
    clause: cited.length > 0 ? cited.join('; ') : tested.clause.section,
    sentence: sentenceOf(tested),
    ...(failed && tested.note !== undefined ? { ruling: tested.note } : {}),
    anchor: `${contractPage}#${requirementAnchor(tested.id)}`,
    title: check.title,
    outcome: isNote ? 'observed' : failed ? OF_FAILURE[level] : outcome,
    message: safe(message),
    ...(allNotes.length > 0 ? { notes: allNotes.map(safe) } : {}),
    ...(expected === undefined ? {} : { expected: safe(expected) }),
    ...(actual === undefined ? {} : { actual: safe(actual) }),
    ...(isWrong && cause !== undefined ? { cause: safe(cause) } : {}),
    ...(curls.length > 0 ? { curl: curls.at(-1)! } : {}),
    ...(curls.length > 1 ? { curls } : {}),
    evidence: exchanges.map((exchange) => evidenceOf(exchange, secrets, disclosure)),
    durationMs,
  })
}

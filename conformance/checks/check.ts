import { requirement, type ViewName } from '../../schemas/index.ts'
import type { Exchange } from '../connection/http/exchange.ts'
import { describeReply, type Reply } from '../connection/http/reply.ts'
import type { Target } from '../connection/target.ts'

/**
 * The finding of a check. The run turns a failed check of a `should` requirement into a warning. A finding is a warning itself if an
 * answer was wrong once and right when it was repeated.
 */
export interface Finding {
  outcome: 'pass' | 'fail' | 'warn' | 'observed' | 'not-exercised' | 'inconclusive'
  /** One sentence: the comparison, or why there was none. */
  message: string
  /** Notes, which do not change the outcome. */
  notes?: string[]
  expected?: string
  actual?: string
  /** What differs, in words that other checks with the same cause use too. Reports show such failures as one. */
  cause?: string
  /** The documented columns that the finding is about. The report cites their rows in the contract. */
  columns?: { view: ViewName; column: string }[]
  /** The requests and replies behind the finding. `curl` repeats the last request. */
  exchanges?: Exchange[]
  /** Set if a concurrent change prevented an outcome. The run retries the check. */
  concurrentChange?: true
  /** The check was retried because rows had changed while they were compared. */
  followsChange?: true
}

/** The phase of a check. The table in run/phases.ts defines the order. */
export type Phase =
  /** Shares the target with other checks. */
  | 'parallel'
  /** Has the target for itself, but for statements that wait for the time limit. */
  | 'alone'
  /** Keeps the target busy for less than the time limit. */
  | 'limit'
  /** Keeps the target busy past the time limit. */
  | 'afterLimit'
  /** Changes the target, or puts load on it. */
  | 'exclusive'
  /** Uses the replies of the whole run, or might end it: invalid tokens can lock an account. */
  | 'last'
  /** Judges every answer of the run. */
  | 'answers'
  /** Repeats the requests that got a broken reply each time. */
  | 'broken'

/** A check of one requirement, which defines its level and its place in the contract. */
export interface Check {
  /** Stable kebab-case id, `area.subject`, for baselines and `--only`. */
  id: string
  /** Id of the requirement, with its view for a family (`REQ-VIEW-TYPES:v_formulas`). */
  requirement: string
  /** The expected behaviour of the target. Starts with MUST, SHOULD or MAY. */
  title: string
  /** Ids of the mutants that the check must catch. */
  killedBy: string[]
  /** Default: `parallel`. */
  phase?: Phase
  /** Set if the check itself repeats what fails. A run repeats other failed checks after those of their phase. */
  repeats?: true
  run(t: Target): Promise<Finding>
  /** Sends what a check of the phase `answers` needs, before the first of them judges. `run` reports what cannot be asked. */
  ask?(t: Target): Promise<unknown>
  /** Work that `run` would do. It is done while the run waits for the time limit, and pauses at each yield. Sends nothing. */
  prepare?(t: Target): Iterable<unknown>
}

/** `observe` binds nobody: the findings of such a check are only recorded. */
const LEVEL_WORD = { must: 'MUST', should: 'SHOULD', observe: 'MAY' } as const

/**
 * Defines a check.
 *
 * @param definition its `title` lacks the level, which the requirement defines: "keep left rows …"
 */
export const check = (definition: Check): Check => ({
  ...definition,
  title: `${LEVEL_WORD[requirement(definition.requirement).level]} ${definition.title}`,
})

/** What a finding may have besides its outcome and its message. */
type Rest = Omit<Finding, 'outcome' | 'message'>

/** Passes after `count` comparisons. With fewer than `least`, the check is not exercised. */
export function compared(count: number, noun: string, sentence: string, rest: Rest = {}, least = 1): Finding {
  if (count === 0) return notExercised(`there were no ${plural(noun)} to compare`, rest)
  if (count < least)
    return notExercised(`the check needs ${least} ${plural(noun)}, and there was ${count}`, rest)
  return { ...rest, outcome: 'pass', message: `${count} ${count === 1 ? noun : plural(noun)}: ${sentence}` }
}

export const fail = (finding: Omit<Finding, 'outcome'> & { expected: string; actual: string }): Finding => ({
  ...finding,
  outcome: 'fail',
})

/** An answer that was wrong once. `expected` and `actual` are those of a failure. */
export const warn = (finding: Parameters<typeof fail>[0]): Finding => ({ ...finding, outcome: 'warn' })

/** Fails because of one reply: `actual` describes it, and `curl` repeats its request. */
export const wrongReply = (reply: Reply, message: string, expected: string): Finding =>
  fail({ message, expected, actual: describeReply(reply), exchanges: [reply.exchange] })

const having =
  (outcome: Finding['outcome']) =>
  (message: string, rest: Rest = {}): Finding => ({ ...rest, outcome, message })

/** The message completes the sentence "not exercised: …". */
export const notExercised = having('not-exercised')

export const inconclusive = having('inconclusive')

/** A finding that is only recorded. */
export const observed = having('observed')

const plural = (noun: string): string =>
  /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : noun.endsWith('s') ? `${noun}es` : `${noun}s`

import { requirement } from '../../schemas/index.ts'
import type { Exchange } from '../connection/exchange.ts'
import type { Target } from '../connection/target.ts'

/** What a check found. The run turns a failed check of a `should` into a warning. */
export interface Finding {
  outcome: 'pass' | 'fail' | 'observed' | 'not-exercised' | 'inconclusive'
  /** What was compared, or why nothing was: one sentence. */
  message: string
  /** Remarks that change no outcome. */
  notes?: string[]
  expected?: string
  actual?: string
  /** The exchanges the finding rests on; `curl` repeats the last one. */
  exchanges?: Exchange[]
  /** Set if a concurrent change prevented a verdict: the run retries the check. */
  concurrentChange?: true
}

/** When a check runs; the table in run/phases.ts says what runs beside what. */
export type Phase =
  /** Shares the target with other checks. */
  | 'parallel'
  /** Keeps the target busy for less than the time limit. */
  | 'limit'
  /** Keeps the target busy past the time limit. */
  | 'afterLimit'
  /** Changes the target, or keeps it busy by itself. */
  | 'exclusive'
  /** Looks back on the whole run, or might end it: wrong tokens can lock an account. */
  | 'last'

/** A check of one requirement. Its level and clause are those of the register entry that `requirement` names. */
export interface Check {
  /** Stable kebab-case id, `area.subject`. Baselines and `--only` name it. */
  id: string
  /** Id of the register entry, family member included (`REQ-VIEW-TYPES:v_formulas`). */
  requirement: string
  /** What the target has to do, starting with MUST, SHOULD or MAY. */
  title: string
  /** Ids of the mutants this check has to catch. */
  killedBy: string[]
  /** Default: `parallel`. */
  phase?: Phase
  run(t: Target): Promise<Finding>
}

/** `observe` binds nobody: what such a check finds is only recorded. */
const LEVEL_WORD = { must: 'MUST', should: 'SHOULD', observe: 'MAY' } as const

/**
 * Defines a check.
 *
 * @param definition its `title` without the word of the level, which the register decides: "keep left rows …"
 */
export const check = (definition: Check): Check => ({
  ...definition,
  title: `${LEVEL_WORD[requirement(definition.requirement).level]} ${definition.title}`,
})

/** A pass that rests on `count` compared things. Comparing nothing is not a pass. */
export function compared(
  count: number,
  noun: string,
  sentence: string,
  rest: Omit<Finding, 'outcome' | 'message'> = {},
): Finding {
  if (count === 0) return notExercised(`there were no ${plural(noun)} to compare`, rest)
  return { ...rest, outcome: 'pass', message: `${count} ${count === 1 ? noun : plural(noun)}: ${sentence}` }
}

export const fail = (finding: Omit<Finding, 'outcome'> & { expected: string; actual: string }): Finding => ({
  ...finding,
  outcome: 'fail',
})

/** `reason` completes the sentence "not exercised: …". */
export const notExercised = (reason: string, rest: Omit<Finding, 'outcome' | 'message'> = {}): Finding => ({
  ...rest,
  outcome: 'not-exercised',
  message: reason,
})

export const inconclusive = (reason: string, rest: Omit<Finding, 'outcome' | 'message'> = {}): Finding => ({
  ...rest,
  outcome: 'inconclusive',
  message: reason,
})

const plural = (noun: string): string =>
  /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : noun.endsWith('s') ? `${noun}es` : `${noun}s`

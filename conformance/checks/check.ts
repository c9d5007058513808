import type { Exchange } from '../connection/exchange.ts'
import type { Target } from '../connection/target.ts'

export type Outcome =
  | 'pass'
  | 'fail'
  | 'warn'
  | 'observed'
  | 'not-exercised'
  | 'inconclusive'
  | 'waived'
  | 'error'

/** What a check found. A check of a `should` that fails is turned into a warning by the runner. */
export interface Finding {
  outcome: 'pass' | 'fail' | 'observed' | 'not-exercised' | 'inconclusive'
  /** What was compared, or why nothing was: one sentence. */
  message: string
  /** Remarks that change no outcome. */
  notes?: string[]
  expected?: string
  actual?: string
  /** The exchanges the finding rests on; the last one is the one a `curl` repeats. */
  exchanges?: Exchange[]
  /** Set where rows that change kept it from a verdict: the runner has another look. */
  moved?: true
}

/**
 * One check: what it tests, and the function that tests it. Level and clause come from the register entry
 * named by `requirement`, so they can not drift from it.
 */
export interface Check {
  /** Stable kebab-case id, `area.subject`. Baselines and `--only` name it. */
  id: string
  /** Id of the register entry, family member included (`REQ-VIEW-TYPES:v_formulas`). */
  requirement: string
  /** What the target has to do, starting with MUST, SHOULD or MAY. */
  title: string
  /** Ids of the mutants this check has to catch. */
  killedBy: string[]
  /**
   * When it runs: `main` checks share the target, `wait` and `outlast` checks hold it busy below and beyond the
   * time limit, `alone` checks change it, `last` checks look back on the whole run, or might end it (wrong
   * tokens can lock an account).
   */
  lane?: 'main' | 'wait' | 'outlast' | 'alone' | 'last'
  run(t: Target): Promise<Finding>
}

export const check = (definition: Check): Check => definition

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

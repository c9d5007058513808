import type { Baseline, CheckResult } from '../../schemas/index.ts'

/** The rules for waiving failures. */
export interface WaiverRules {
  baseline: Baseline
  /** Whether warnings and notes fail. */
  strict: boolean
  /** The day of the run, `YYYY-MM-DD` (UTC). A waiver includes its last day. */
  today: string
}

/** Whether a result keeps the target from being conformant. */
export const isFailure = ({ outcome, notes = [] }: CheckResult, strict: boolean): boolean =>
  outcome === 'fail' || (strict && outcome !== 'waived' && (outcome === 'warn' || notes.length > 0))

/** Waives a failure that the baseline accepts; adds a note if its waiver has expired. */
export function waive(result: CheckResult, { baseline, strict, today }: WaiverRules): CheckResult {
  const waiver = baseline.waivers[result.id]
  if (!waiver || !isFailure(result, strict)) return result
  if (waiver.expires === undefined || today <= waiver.expires)
    return { ...result, outcome: 'waived', waiver: { ...waiver } }
  const expired = `its waiver expired on ${waiver.expires}: ${waiver.reason}`
  return { ...result, notes: [...(result.notes ?? []), expired] }
}

/** Accepts a check that could not be exercised, for a reason that its id maps to. Any other outcome stays. */
export function acceptGap(result: CheckResult, reasons: Readonly<Record<string, string>>): CheckResult {
  const reason = reasons[result.id]
  if (reason === undefined || result.outcome !== 'not-exercised') return result
  return { ...result, outcome: 'waived', waiver: { reason } }
}

/**
 * One sentence for each entry whose check passed: such an entry would hide the next failure. Checks without a result
 * are ignored, and so are warnings and notes, which a strict run may waive.
 */
export const staleEntries = (results: readonly CheckResult[], baseline: Baseline): string[] =>
  results
    .filter(
      ({ id, outcome, notes = [] }) => id in baseline.waivers && outcome === 'pass' && notes.length === 0,
    )
    .map(({ id, requirement }) => `${requirement} (${id}) passes: remove its entry from the baseline.`)

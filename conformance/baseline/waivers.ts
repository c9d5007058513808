import type { Baseline, CheckResult } from '../../schemas/index.ts'

/** Which failures a run accepts. */
export interface WaiverRules {
  baseline: Baseline
  /** Warnings and notes fail. */
  strict: boolean
  /** The day of the run, `YYYY-MM-DD` (UTC): a waiver holds up to the end of its last one. */
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

/**
 * One sentence for every entry whose check passed: it has to go, or it would hide the next failure. What was not
 * selected, not exercised or unclear shows nothing; a warning or a note may be what a strict run waives.
 */
export const staleEntries = (results: readonly CheckResult[], baseline: Baseline): string[] =>
  results
    .filter(
      ({ id, outcome, notes = [] }) => id in baseline.waivers && outcome === 'pass' && notes.length === 0,
    )
    .map(({ id, requirement }) => `${requirement} (${id}) passes: remove its entry from the baseline.`)

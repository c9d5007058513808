import { existsSync } from 'node:fs'
import { nextBaseline, parseBaseline } from '../../conformance/index.ts'
import type { Baseline, ConformanceReport } from '../../schemas/index.ts'
import { readInput } from '../files/input-file.ts'
import type { OutputFile } from '../files/output-file.ts'

/**
 * @param remedy for a file that cannot be read or holds no baseline
 * @throws CommandError if the file cannot be read; UsageError if it holds no baseline
 */
export const readBaseline = (
  file: string,
  remedy = `Check its path, or write one with --write-baseline ${file}.`,
): Baseline => parseBaseline(readInput('baseline', file, remedy), file, remedy)

/** The baseline whose reasons `--write-baseline` keeps: that of the run, else the content of the file. */
export const baselineBefore = (file: string, ofRun: Baseline | undefined): Baseline | undefined =>
  ofRun ?? (existsSync(file) ? readBaseline(file) : undefined)

/**
 * Writes the failures of a run as a baseline and prints how many reasons are missing. A run that did not reach the
 * target writes nothing.
 *
 * @throws CommandError if the file cannot be written
 */
export function writeBaseline(
  file: string,
  { write }: OutputFile,
  report: ConformanceReport,
  before: Baseline | undefined,
): void {
  if (report.checks.length === 0) return
  const baseline = nextBaseline(report, before)
  write(`${JSON.stringify(baseline, null, 2)}\n`)
  const waivers = Object.values(baseline.waivers)
  const open = waivers.filter(({ reason }) => reason.startsWith('TODO')).length
  const remedy =
    open > 0
      ? ` Replace the TODO of ${open} with ${open === 1 ? 'its reason' : 'their reasons'}; --baseline rejects a TODO.`
      : ''
  process.stderr.write(
    `Wrote ${waivers.length} ${waivers.length === 1 ? 'waiver' : 'waivers'} to ${file}.${remedy}\n`,
  )
}

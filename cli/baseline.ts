import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { nextBaseline, parseBaseline } from '../conformance/index.ts'
import type { Baseline, ConformanceReport } from '../schemas/index.ts'
import { CommandError, EXIT } from './exit.ts'

/**
 * The baseline in a file.
 *
 * @throws CommandError when the file can not be read; UsageError when it holds no baseline.
 */
export function readBaseline(file: string): Baseline {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    throw new CommandError(
      `The baseline ${file} can not be read. Check the path, or write one with --write-baseline ${file}.`,
      EXIT.usage,
    )
  }
  return parseBaseline(text, file)
}

/** What `--write-baseline` keeps reasons of: the baseline of the run, else what the file holds already. */
export const baselineBefore = (file: string, ofRun: Baseline | undefined): Baseline | undefined =>
  ofRun ?? (existsSync(file) ? readBaseline(file) : undefined)

/**
 * Writes the failures of a run as a baseline, and says what is left to do. A run that did not reach the target
 * writes nothing: it would drop no entry, but date the file for no reason.
 */
export function writeBaseline(file: string, report: ConformanceReport, before: Baseline | undefined): void {
  if (report.checks.length === 0) return
  const baseline = nextBaseline(report, before)
  try {
    writeFileSync(file, `${JSON.stringify(baseline, null, 2)}\n`)
  } catch (error) {
    throw new CommandError(
      `The baseline can not be written to ${file} (${(error as NodeJS.ErrnoException).code}). Name a file in a folder that exists and can be written to.`,
      EXIT.broken,
    )
  }
  const waivers = Object.values(baseline.waivers)
  const open = waivers.filter(({ reason }) => reason.startsWith('TODO')).length
  process.stderr.write(
    `Wrote ${waivers.length} ${waivers.length === 1 ? 'waiver' : 'waivers'} to ${file}.${open > 0 ? ` Give the ${open} new ${open === 1 ? 'one its reason' : 'ones their reasons'} in place of the TODO: --baseline takes none without.` : ''}\n`,
  )
}

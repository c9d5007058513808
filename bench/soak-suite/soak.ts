import { runConformance, type ConformanceOptions } from '../../conformance/index.ts'
import type { ConformanceReport } from '../../schemas/index.ts'
import { tally, type Tally } from './tally.ts'

/** Runs the suite repeatedly on one target, without the checks that wait for the 504, and tallies the reports. */
export async function soak(
  target: string,
  runs: number,
  options: ConformanceOptions,
  onRun: (report: ConformanceReport, run: number) => void = () => {},
): Promise<Tally> {
  const reports: ConformanceReport[] = []
  for (let run = 1; run <= runs; run++) {
    const report = await runConformance({ ...options, skip: ['time.*'] })
    reports.push(report)
    onRun(report, run)
  }
  return tally(target, reports)
}

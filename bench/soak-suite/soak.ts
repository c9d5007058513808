import { runConformance, type ConformanceOptions } from '../../conformance/index.ts'
import type { ConformanceReport } from '../../schemas/index.ts'
import { tally, type Tally } from './tally.ts'

/** Judges one target so many times without the checks that wait for the 504, and puts together what was told. */
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

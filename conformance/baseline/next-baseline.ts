import type { Baseline, ConformanceReport } from '../../schemas/index.ts'
import { UNEXPLAINED } from './parse-baseline.ts'
import { isFailure } from './waivers.ts'

/**
 * The baseline that waives every failure of a run and keeps known reasons. Entries whose check now passes are removed;
 * entries without a result in this run stay.
 * @example writeFileSync('known.json', JSON.stringify(nextBaseline(report, baseline)))
 */
export function nextBaseline(report: ConformanceReport, before?: Baseline): Baseline {
  const known = before?.waivers ?? {}
  const results = new Map(report.checks.map((result) => [result.id, result]))
  const failing = report.checks.filter(
    (result) => result.outcome === 'waived' || isFailure(result, report.options.strict),
  )
  const unseen = Object.keys(known).filter(
    (id) => results.get(id)?.outcome !== 'pass' || results.get(id)?.notes,
  )
  const ids = [...new Set([...failing.map(({ id }) => id), ...unseen])].sort()
  return {
    ...(before?.$schema !== undefined && { $schema: before.$schema }),
    contract: report.contract.version,
    waivers: Object.fromEntries(ids.map((id) => [id, known[id] ?? { reason: UNEXPLAINED }])),
  }
}

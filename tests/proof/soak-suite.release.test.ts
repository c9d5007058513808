import { expect, test } from 'vitest'
import { runConformance, type ConformanceOptions } from '../../conformance/index.ts'
import { missingPrograms } from '../e2e/support/postgres/programs.ts'
import { exportFixtures, scratch, startVendor, VENDOR_TOKEN } from '../e2e/support/vendor.ts'
import { startServer } from '../../mock/index.ts'
import type { ConformanceReport } from '../../schemas/index.ts'
import { mutants } from './mutants/index.ts'
import { startPostgresVendor } from './support/postgres-vendor/vendor.ts'

// The suite again and again on correct targets, so each failure is a false alarm. SOAK_RUNS=50 runs it for longer.
const runs = Number(process.env['SOAK_RUNS'] ?? 2)
const timeout = runs * 120_000
const [scale, writesPerSecond] = [0.01, 20]

/** Runs the suite without the checks that wait for the 504. */
async function soak(target: ConformanceOptions, count = runs): Promise<ConformanceReport[]> {
  const reports: ConformanceReport[] = []
  while (reports.length < count) reports.push(await runConformance({ ...target, skip: ['time.*'] }))
  return reports
}

/** False alarms: checks that fail or warn, as lines. */
const alarmsOf = (reports: readonly ConformanceReport[]): string[] =>
  reports.flatMap(({ checks }, run) =>
    checks
      .filter(({ outcome }) => ['fail', 'warn', 'error'].includes(outcome))
      .map(({ id, outcome, message }) => `run ${run + 1}: ${id} ${outcome}: ${message}`),
  )

/** Checks whose outcome differs between runs, and reasons of incomplete runs that do not follow from the skipped checks. */
function changesOf(reports: readonly ConformanceReport[]): string[] {
  const seen = new Map<string, Set<string>>()
  for (const { id, outcome } of reports.flatMap(({ checks }) => checks))
    seen.set(id, (seen.get(id) ?? new Set()).add(outcome))
  const gaps = reports.flatMap(({ reasons }, run) =>
    reasons
      .filter((reason) => !/^Checks of .* were not selected|^No reply was missing;/.test(reason))
      .map((reason) => `run ${run + 1}: ${reason}`),
  )
  const differing = [...seen].filter(([, outcomes]) => outcomes.size > 1)
  return [...gaps, ...differing.map(([id, outcomes]) => `${id} is ${[...outcomes].join(' and ')}`)]
}

test(
  'repeated runs on the reference have the same outcomes, and no false alarm',
  async () => {
    const { baseUrl, token, close } = await startServer({ scale })
    const reports = await soak({ baseUrl, token }).finally(close)
    expect([...alarmsOf(reports), ...changesOf(reports)]).toEqual([])
  },
  timeout,
)

test(
  'repeated runs on the minimal vendor have the same outcomes, and no false alarm',
  async () => {
    const folder = scratch()
    const { baseUrl, stop } = await startVendor({ fixtures: await exportFixtures(folder.dir, scale) })
    const reports = await soak({ baseUrl, token: VENDOR_TOKEN })
      .finally(stop)
      .finally(() => folder.remove())
    expect([...alarmsOf(reports), ...changesOf(reports)]).toEqual([])
  },
  timeout,
)

test.skipIf(missingPrograms())(
  'repeated runs on PostgreSQL have no false alarm while rows are written',
  async () => {
    const folder = scratch()
    const vendor = await startPostgresVendor(await exportFixtures(folder.dir, scale))
    if (typeof vendor === 'string') throw new Error(vendor)
    try {
      const stopWriting = await vendor.write(writesPerSecond)
      const reports = await soak({ baseUrl: vendor.baseUrl, token: VENDOR_TOKEN })
      const written = await stopWriting()
      expect(written['point']).toBeGreaterThan(0)
      expect(alarmsOf(reports)).toEqual([])
    } finally {
      await vendor.stop()
      folder.remove()
    }
  },
  timeout,
)

test(
  'a defect that comes later is an alarm, and a check whose outcome differs',
  async () => {
    const { baseUrl, token, close } = await startServer({ scale })
    const broken = mutants.find(({ id }) => id === 'limit-plus-one')!.wrap(fetch)
    const reports = [
      ...(await soak({ baseUrl, token }, 1)),
      ...(await soak({ baseUrl, token, fetch: broken }, 1).finally(close)),
    ]
    expect(alarmsOf(reports)).toContainEqual(expect.stringMatching(/^run 2: sql\.limit fail: LIMIT \d+/))
    expect(changesOf(reports)).toContain('sql.limit is pass and fail')
  },
  timeout,
)

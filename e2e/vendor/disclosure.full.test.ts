import { afterAll, beforeAll, expect, test } from 'vitest'
import { checks, mutants, runConformance } from '../../conformance/index.ts'
import type { Reference } from '../../mock/index.ts'
import { isSlow, startReference } from '../support/self-proof.ts'

let reference: Reference
beforeAll(async () => {
  reference = await startReference()
})
afterAll(() => reference.close())

/** Faults in what rows hold: their findings speak of rows. Some break so much that others never show. */
const aboutRows = mutants.filter(
  (mutant) => /^REQ-(VIEW|SQL|JOIN|DELTA)/.test(mutant.breaks) && !isSlow(mutant),
)

/** Texts that tell a row from others: ids, names, times, numbers with some digits. Documented words tell nothing. */
function collect(value: unknown, into: Set<string>): void {
  if (typeof value === 'string' && /^(?=.*\d).{6,}$/.test(value)) into.add(value)
  else if (typeof value === 'number' && String(value).length >= 6) into.add(String(value))
  else if (value !== null && typeof value === 'object')
    for (const item of Object.values(value)) collect(item, into)
}

/** Runs what claims to find the fault against a broken reference; the values it sent, and the report without what repeats a statement. */
async function run(mutant: (typeof mutants)[number], evidence: 'hashed' | 'full') {
  const values = new Set<string>()
  const broken = mutant.wrap(reference.fetch)
  const report = await runConformance({
    baseUrl: reference.baseUrl,
    token: reference.token,
    evidence,
    only: checks.filter(({ killedBy }) => killedBy.includes(mutant.id)).map(({ id }) => id),
    timeLimitMs: 2000,
    fetch: async (input, init) => {
      const response = await broken(input, init)
      const { data } = (await response
        .clone()
        .json()
        .catch(() => ({}))) as { data?: unknown }
      if (Array.isArray(data)) collect(data, values)
      return response
    },
  })
  const spoken = report.checks.flatMap(({ message, notes = [], expected = '', actual = '', evidence }) => [
    message,
    ...notes,
    expected,
    actual,
    ...evidence.map(({ body = '' }) => body),
  ])
  return {
    values,
    spoken: [...spoken, ...report.reasons, ...Object.values(report.observations).map(({ seen }) => seen)],
    report,
  }
}

test.each(aboutRows.map((mutant) => [mutant.id, mutant] as const))(
  'no row value in the report on %s',
  async (_, mutant) => {
    const { values, spoken, report } = await run(mutant, 'hashed')
    expect(report.counts.fail + report.counts.warn + report.counts.observed).toBeGreaterThan(0)
    const leaks = spoken.flatMap((text) =>
      [...values]
        .filter((value) => text.includes(value))
        .map((value) => `${value} in: ${text.slice(0, 200)}`),
    )
    expect(leaks.slice(0, 5)).toEqual([])
  },
)

test('full evidence shows values, and the answers', async () => {
  const { values, spoken, report } = await run(
    mutants.find(({ id }) => id === 'timestamps-space')!,
    'full',
  )
  const failed = report.checks.find(({ id }) => id === 'timestamps.separator')!
  expect(failed.actual).toMatch(/"20\d\d-\d\d-\d\d \d\d:/)
  expect(failed.evidence[0]!.body).toContain('{"data":[')
  expect([...values].some((value) => spoken.some((text) => text.includes(value)))).toBe(true)
})

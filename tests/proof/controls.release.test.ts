import { afterAll, describe, expect, test } from 'vitest'
import { startPostgresVendor } from './support/postgres-vendor/vendor.ts'
import { PLANT_TOKEN, plantVendors } from '../e2e/support/plant-vendors.ts'
import { exportFixtures, scratch, VENDOR_TOKEN } from '../e2e/support/vendor.ts'
import { controls, type Control } from './controls/index.ts'
import { live } from './live.ts'
import { remembering } from './support/remembering.ts'
import { judge, startReference, type LimitedReference } from './support/self-proof.ts'

/** Servers that share no code: the reference, arrays without SQL, SQLite, and an example on PostgreSQL where it is installed. */
const folder = scratch()
const reference = await startReference({ scale: 0.01 })
const once = { ...reference, fetch: remembering(reference.fetch) }
const vendors = plantVendors()
const token = PLANT_TOKEN
const sqlite = remembering(await vendors.sqlite())
const postgres = await startPostgresVendor(await exportFixtures(folder.dir))
if (typeof postgres === 'string') console.error(`The controls on PostgreSQL were skipped: ${postgres}`)

/** Controls that do not write, which servers without SQL can have too. */
const readers = controls.filter(({ changes }) => !changes)

const engines: { name: string; target: LimitedReference; controls: readonly Control[] }[] = [
  { name: 'the reference', target: once, controls: readers },
  {
    name: 'the reference, written to',
    target: reference,
    controls: controls.filter(({ changes }) => changes),
  },
  {
    name: 'arrays without SQL',
    target: {
      ...reference,
      baseUrl: 'http://whitelist.example',
      token,
      fetch: vendors.arrays(),
    },
    controls: readers,
  },
  {
    name: 'SQLite',
    target: { ...reference, baseUrl: 'http://sqlite.example', token, fetch: sqlite },
    controls: readers,
  },
  ...(typeof postgres === 'string'
    ? []
    : [
        {
          name: 'PostgreSQL',
          target: { ...reference, baseUrl: postgres.baseUrl, token: VENDOR_TOKEN, fetch },
          controls: controls,
        },
      ]),
]

afterAll(async () => {
  await reference.close()
  if (typeof postgres !== 'string') await postgres.stop()
  folder.remove()
})

/** Runs the suite without the time checks, which do not concern the form of responses. */
async function judgeControl({ wrap }: Pick<Control, 'wrap'>, target = reference) {
  const report = await judge(target, [], wrap, { skip: ['time.*'] })
  return {
    lines: (...outcomes: string[]) =>
      report.checks
        .filter(({ outcome }) => outcomes.includes(outcome))
        .map(({ id, outcome, message }) => `${id} ${outcome}: ${message}`),
    gaps: report.reasons.filter(
      (reason) =>
        !/^(REQ-TIME-|Checks of 2 requirements were not selected: REQ-HTTP-1, REQ-TIME-1\.|The time limit|No reply)/.test(
          reason,
        ),
    ),
    report,
  }
}

test('controls have unique ids', () => {
  expect(new Set(controls.map(({ id }) => id)).size).toBe(controls.length)
  expect(controls.length).toBeGreaterThanOrEqual(60)
})

describe.each(engines.map((engine) => [engine.name, engine] as const))(
  'a control over %s',
  (_, { target, controls: own }) => {
    test.each(own.map((control) => [control.id, control] as const))('passes: %s', async (__, control) => {
      const { lines, gaps, report } = await judgeControl(control, target)
      expect(lines('fail', 'warn', 'error')).toEqual([])
      expect(report.verdict).toBe('incomplete')
      if (control.changes || control.hides) return
      expect(lines('inconclusive')).toEqual([])
      if (target === once) expect(gaps).toEqual([])
    })
  },
)

// For a machine that is busy with other things.
describe('concurrent changes', () => {
  test.each([10, 11, 12, 13])('by writers with seed %i fail no check', async (seed) => {
    const { lines, report } = await judgeControl({ wrap: live({ seed, vanish: seed % 2 === 0 }) })
    expect(lines('fail', 'warn', 'error')).toEqual([])
    expect(report.counts.pass).toBeGreaterThan(60)
  })

  test('that delete rows without a newer last_updated_at are reported', async () => {
    const { lines, report } = await judgeControl({ wrap: live({ seed: 3, vanish: 'only' }) })
    expect(lines('fail', 'warn', 'error')).toEqual([])
    expect(report.checks.map(({ message }) => message).join('\n')).toMatch(
      /rows of v_\w+ changed .*; \d+ vanished without a newer last_updated_at/,
    )
  })
})

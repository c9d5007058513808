import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { controls, type Control } from '../../conformance/mutants/controls.ts'
import { live } from '../../conformance/mutants/live.ts'
import { judge, startReference, type LimitedReference } from '../support/self-proof.ts'

let reference: LimitedReference
beforeAll(async () => {
  reference = await startReference()
})
afterAll(() => reference.close())

/** Runs the suite without the time checks, which do not concern the form of responses. */
async function judgeControl({ wrap }: Pick<Control, 'wrap'>) {
  const report = await judge(reference, [], wrap, { skip: ['time.*'] })
  return {
    lines: (...outcomes: string[]) =>
      report.checks
        .filter(({ outcome }) => outcomes.includes(outcome))
        .map(({ id, outcome, message }) => `${id} ${outcome}: ${message}`),
    /** Checks of undocumented SQL whose answer is wrong SQL. */
    contradicted: report.checks.filter(
      ({ outcome, expected }) => outcome === 'observed' && expected !== undefined,
    ),
    gaps: report.reasons.filter((reason) => !/^(REQ-TIME-|The time limit)/.test(reason)),
    report,
  }
}

describe('controls', { timeout: 180_000 }, () => {
  test('have unique ids', () => {
    expect(new Set(controls.map(({ id }) => id)).size).toBe(controls.length)
    expect(controls.length).toBeGreaterThanOrEqual(10)
  })

  test.each(controls.map((control) => [control.id, control] as const))('pass: %s', async (_, control) => {
    const { lines, gaps, contradicted, report } = await judgeControl(control)
    expect(lines('fail', 'warn', 'error')).toEqual([])
    expect(contradicted).toEqual([])
    expect(report.verdict).toBe('incomplete')
    if (control.changes) return
    expect(lines('inconclusive')).toEqual([])
    expect(gaps).toEqual([])
  })
})

// For a machine that is busy with other things.
describe('concurrent changes', { timeout: 180_000 }, () => {
  test.each(Array.from({ length: 12 }, (_, n) => n + 10))(
    'by writers with seed %i fail no check',
    async (seed) => {
      const { lines, report } = await judgeControl({ wrap: live({ seed, vanish: seed % 2 === 0 }) })
      expect(lines('fail', 'warn', 'error')).toEqual([])
      expect(report.counts.pass).toBeGreaterThan(60)
    },
  )

  test('that delete rows without a newer last_updated_at are reported', async () => {
    const { lines, report } = await judgeControl({ wrap: live({ seed: 3, vanish: 'only' }) })
    expect(lines('fail', 'warn', 'error')).toEqual([])
    expect(report.checks.map(({ message }) => message).join('\n')).toMatch(
      /rows of v_\w+ changed .*; \d+ vanished without a newer last_updated_at/,
    )
  })
})

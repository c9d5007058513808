import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { distributionsDocument, judged } from './document.ts'
import { populations } from './populations.ts'
import { sections } from './table.ts'

const all = populations()

test('each process has 300 sound runs, and studies have perfusions', () => {
  for (const process of ['E. coli', 'Pichia', 'CHO'] as const) expect(all[process]).toHaveLength(300)
  expect(all.Perfusion.length).toBeGreaterThan(25)
})

const rows = sections.flatMap((section) => judged(section, all))

test.each(rows)('$of, $label: $expected, or a stated reason', ({ seen, measured, isInside, reason }) => {
  // a run with an outage of its analyser has no balance
  expect(measured).toBeGreaterThan(0.9)
  expect(seen.every(Number.isFinite)).toBe(true)
  // a reason that is no longer needed is as wrong as a missing one
  expect(isInside, String(seen)).toBe(reason === undefined)
})

test('DISTRIBUTIONS.md is what `npm run generate -- --only distributions` writes', () => {
  const committed = readFileSync(new URL('../DISTRIBUTIONS.md', import.meta.url), 'utf8')
  expect(committed).toBe(distributionsDocument(all))
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ConformanceReport } from '../../schemas/index.ts'
import { coveringArray } from './support/covering-array.ts'
import {
  found,
  isOfTime,
  judge,
  requirementsWith,
  startReferences,
  variants,
  type References,
  type Variant,
} from './support/variants.ts'

let reference: References
beforeAll(async () => {
  reference = await startReferences()
})
afterAll(() => reference.close())

/**
 * Rows of variants in which every two variants of different settings meet; the default variant is one more value of its
 * setting. The name of a row does not depend on the rows after it.
 */
function rowsOf(some: readonly Variant[]): { name: string; row: readonly Variant[] }[] {
  const settings = [...new Set(some.map(({ id }) => id))].map((id) => some.filter((one) => one.id === id))
  return coveringArray(settings.map((own) => own.length + 1))
    .flatMap((values) => possible(values.flatMap((value, at) => settings[at]![value - 1] ?? [])))
    .map((row, at) => ({ name: `row ${at + 1}`, row }))
}

/** Pairs that no server can have: a column of texts is not compared with dates. */
const impossible = [
  ['delta.zone=text-comparison', 'delta.literal=date-keyword'],
  ['delta.zone=text-comparison', 'delta.literal=timestamp-keyword'],
] as const

/** Splits a row with such a pair in two, each with one of them: both still meet all other variants. */
const possible = (row: readonly Variant[]): (readonly Variant[])[] => {
  const pair = impossible.find((pair) => pair.every((name) => row.some((one) => one.name === name)))
  return pair ? pair.map((left) => row.filter(({ name }) => name !== left)) : [row]
}

const blameless = variants.filter(({ standing }) => standing !== 'departs')

async function expectBlameless(row: readonly Variant[]): Promise<ConformanceReport> {
  const report = await judge(reference, row)
  const taken = row.map(({ name }) => name)
  const blamed = [...found(report, 'fail'), ...found(report, 'error')]
  expect({ taken, blamed }).toEqual({ taken, blamed: [] })
  // A token that expires ends the run early.
  if (!taken.includes('auth.permission=401-mid-run')) expect(report.counts.pass).toBeGreaterThan(0)
  return report
}

describe('the suite fails no server for two permitted variants together', () => {
  test.concurrent.each(rowsOf(blameless.filter((one) => !isOfTime(one))))('$name', async ({ row }) => {
    const report = await expectBlameless(row)
    const warned = requirementsWith(report, 'warn')
    expect(warned.filter((one) => !row.some(({ requirement }) => requirement === one))).toEqual([])
  })

  // One after the other, again on a busy machine, and without a look at warnings: the limit is short.
  test.each(rowsOf(blameless.filter(isOfTime)))('of the limit, $name', { retry: 2 }, async ({ row }) => {
    await expectBlameless(row)
  })
})

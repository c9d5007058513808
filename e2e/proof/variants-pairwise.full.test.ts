import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Reference } from '../../mock/index.ts'
import type { ConformanceReport } from '../../schemas/index.ts'
import { coveringArray } from '../support/pairwise.ts'
import {
  found,
  isOfTime,
  judge,
  requirementsWith,
  startReference,
  variants,
  type Variant,
} from '../support/variants.ts'

let reference: Reference
beforeAll(async () => {
  reference = await startReference()
})
afterAll(() => reference.close())

/**
 * Variants that may meet, as rows in which every two of different knobs do; of each knob the reference's own choice is one
 * more value. What a row is called does not change with those after it.
 */
function rowsOf(some: readonly Variant[]): { name: string; row: readonly Variant[] }[] {
  const knobs = [...new Set(some.map(({ knob }) => knob))].map((knob) =>
    some.filter((one) => one.knob === knob),
  )
  return coveringArray(knobs.map((slugs) => slugs.length + 1))
    .flatMap((values) => possible(values.flatMap((value, knob) => knobs[knob]![value - 1] ?? [])))
    .map((row, at) => ({ name: `row ${at + 1}`, row }))
}

/** Pairs that no service can have: a column of texts (NS-52) is not compared with dates (NS-56). */
const impossible = [
  ['delta.zone=text-comparison', 'delta.literal=date-keyword'],
  ['delta.zone=text-comparison', 'delta.literal=timestamp-keyword'],
] as const

/** A row with such a pair becomes two, each with one of them, so that both still meet everything else. */
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
  // a token that runs out on the way ends a run early
  if (!taken.includes('auth.permission=401-mid-run')) expect(report.counts.pass).toBeGreaterThan(0)
  return report
}

describe.concurrent('the suite blames nobody for two variants that meet', { timeout: 180_000 }, () => {
  test.each(rowsOf(blameless.filter((one) => !isOfTime(one))))('$name', async ({ row }) => {
    const report = await expectBlameless(row)
    const warned = requirementsWith(report, 'warn')
    expect(warned.filter((one) => !row.some(({ requirement }) => requirement === one))).toEqual([])
  })

  // whether a statement below so short a limit is served in time, and warned of otherwise, is also the machine's affair
  test.each(rowsOf(blameless.filter(isOfTime)))('of the limit, $name', async ({ row }) => {
    await expectBlameless(row)
  })
})

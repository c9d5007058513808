import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Reference } from '../mock/index.ts'
import type { ConformanceReport } from '../schemas/index.ts'
import { coveringArray } from './support/pairwise.ts'
import {
  found,
  isOfTime,
  judge,
  requirementsWith,
  startReference,
  variants,
  type Variant,
} from './support/variants.ts'

let reference: Reference
beforeAll(async () => {
  reference = await startReference()
})
afterAll(() => reference.close())

/**
 * Variants that may meet, as rows in which every two of different knobs do; of each knob the reference's own choice is one
 * more value. What a row is called does not change with those after it.
 */
function rowsOf(some: readonly Variant[]): { name: string; row: Variant[] }[] {
  const knobs = [...new Set(some.map(({ knob }) => knob))].map((knob) =>
    some.filter((one) => one.knob === knob),
  )
  return coveringArray(knobs.map((slugs) => slugs.length + 1)).map((values, at) => ({
    name: `row ${at + 1}`,
    row: values.flatMap((value, knob) => knobs[knob]![value - 1] ?? []),
  }))
}

const blameless = variants.filter(({ standing }) => standing !== 'departs')

async function expectBlameless(row: readonly Variant[]): Promise<ConformanceReport> {
  const report = await judge(reference, row)
  const taken = row.map(({ name }) => name)
  const blamed = [...found(report, 'fail'), ...found(report, 'error')]
  expect({ taken, blamed }).toEqual({ taken, blamed: [] })
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

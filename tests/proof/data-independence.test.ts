import { describe, test } from 'vitest'
import { datasetOf } from '../../fixtures/index.ts'
import type { views } from '../../schemas/index.ts'
import { expectNothingProven, oneRow, type Row } from './support/data-independence.ts'

// The slow tier has further data.

const nulled = (row: Row, { columns }: (typeof views)[number]): Row =>
  Object.fromEntries(
    Object.entries(row).map(([key, value]) => [
      key,
      columns.find(({ name }) => name === key)?.nullable ? null : value,
    ]),
  )

describe('the suite', () => {
  test.each([
    ['an empty database', () => datasetOf({}), []],
    // REQ-VIEW-FR-EXCLUSIVE is right to warn about a formula result without any result.
    [
      'one row in each view, null wherever null is allowed',
      () => oneRow(nulled),
      ['formula-results.one-form'],
    ],
  ])('fails no check over %s, and passes no check that needs several rows', async (_, dataset, warned) =>
    expectNothingProven(dataset(), warned),
  )
})

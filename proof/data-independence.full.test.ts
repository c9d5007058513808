import { describe, expect, test } from 'vitest'
import { createDataset, datasetOf, type Dataset } from '../fixtures/index.ts'
import { views, type ViewName } from '../schemas/index.ts'
import { expectNothingProven, judge, lines, oneRow, type Row } from './support/data-independence.ts'
import { smallestPlant } from './support/self-proof.ts'

/** The plant with ids 1, 2, 3 … in each view of runs, and every external id equal to the id. */
function serialIds(): Dataset {
  const source = createDataset(smallestPlant)
  const names = ['v_bioprocesses', 'v_experiments'] as const
  const serial = new Map(
    names.flatMap((name) =>
      Array.from(source.rows(name), ({ id }, index) => [id, String(index + 1)] as const),
    ),
  )
  const rewrite = (row: object) => {
    const text = JSON.stringify(row)
    const uuids = /"([\w-]+)"/g
    const numbered = JSON.parse(text.replace(uuids, (all, id: string) => `"${serial.get(id) ?? id}"`)) as Row
    return 'external_id' in numbered ? { ...numbered, external_id: numbered['id'] } : numbered
  }
  return datasetOf(
    Object.fromEntries(views.map(({ name }) => [name, Array.from(source.rows(name as ViewName), rewrite)])),
  )
}

describe('the suite', () => {
  test('fails no check over one row in each view, and passes no check that needs several rows', async () =>
    expectNothingProven(
      oneRow((row) => row),
      [],
    ))

  test('fails no check over serial ids, which are unique in their view only', async () => {
    const report = await judge({ dataset: serialIds() })
    expect(lines(report, 'fail', 'error', 'warn', 'inconclusive')).toEqual([])
    expect(report.counts.pass).toBeGreaterThan(50)
  })

  test('fails and warns on no check over a plant of another seed with rows as arrays', async () => {
    const report = await judge({ seed: 7, ...smallestPlant, variants: { 'rows.shape': 'array' } })
    expect(lines(report, 'fail', 'error', 'warn', 'inconclusive')).toEqual([])
    expect(report.counts.pass).toBeGreaterThan(50)
  })
})

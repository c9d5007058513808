import { describe, expect, test } from 'vitest'
import { createDataset, datasetOf, type Dataset } from '../../fixtures/index.ts'
import { views, type ViewName } from '../../schemas/index.ts'
import { expectNothingProven, judge, lines, oneRow, type Row } from './support/data-independence.ts'
import { onEnvelope } from './mutant.ts'
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

/** The first and the last instant that PostgreSQL stores, as the reference server prints them. */
const [FIRST, LAST] = ['4713-01-01 00:00:00+00 BC', '294276-12-31 23:59:59.999999+00']

/** The plant with two instants in all times of two rows in seven. */
function dated(first: string, last: string): Dataset {
  const source = createDataset(smallestPlant)
  const rewrite = (row: Row, index: number, columns: readonly string[]) => {
    const instant = [undefined, undefined, first, undefined, undefined, last, undefined][index % 7]
    const times = columns.filter((name) => (row[name] ?? null) !== null)
    if (instant === undefined) return row
    return { ...row, duration_ms: 0, ...Object.fromEntries(times.map((name) => [name, instant])) }
  }
  return datasetOf(
    Object.fromEntries(
      views.map(({ name, columns }) => {
        const rows = Array.from(source.rows(name as ViewName)) as unknown as Row[]
        const times = columns.filter(({ format }) => format).map((column) => column.name)
        return [name, rows.map((row, index) => rewrite(row, index, times))]
      }),
    ),
  )
}

describe('the suite', () => {
  test.each<[of: string, stored: [string, string], printed?: [string, string], failed?: string[]]>([
    ['2031 and a midnight that means never', ['2031-01-01T00:00:00Z', '9999-12-31T00:00:00Z']],
    ['SQL Server', ['0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999999Z']],
    ['PostgreSQL', [FIRST, LAST], ['-004712-01-01T00:00:00Z', '+294276-12-31T23:59:59.999999Z']],
    ['JavaScript', [FIRST, LAST], ['-271821-04-20T00:00:00.000Z', '+275760-09-13T00:00:00.000Z']],
    ['infinity', [FIRST, LAST], ['-infinity', 'infinity'], ['timestamps.iso8601']],
    ['years of other lengths', [FIRST, LAST], [FIRST, LAST], ['timestamps.iso8601', 'timestamps.separator']],
  ])('fails no check over the first and last instants of %s, unless they are no ISO 8601', async (...row) => {
    const [, stored, printed, failed = []] = row
    const asPrinted = onEnvelope((envelope) =>
      JSON.stringify(envelope)
        .replaceAll(`"${FIRST}"`, `"${printed?.[0]}"`)
        .replaceAll(`"${LAST}"`, `"${printed?.[1]}"`)
        .replaceAll('23:59:59.999999+00:00"', '23:59:59.9999999Z"'),
    )
    const report = await judge({ dataset: dated(...stored) }, asPrinted)
    expect(lines(report, 'error', 'warn', 'inconclusive')).toEqual([])
    expect(report.checks.filter(({ outcome }) => outcome === 'fail').map(({ id }) => id)).toEqual(failed)
    const open = report.checks.filter(({ outcome }) => outcome === 'not-exercised').map(({ id }) => id)
    // Both views have the newest row of all. Points whose times cannot be read have no order.
    const ofPoints = failed.length > 0 ? ['timeseries.statistics-of-points'] : []
    expect(open).toEqual([...ofPoints, 'delta.above-other-view'])
  })

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

import { afterEach, describe, expect, test } from 'vitest'
import { runConformance } from '../../conformance/run/conformance.ts'
import { createDataset, datasetOf, type Dataset } from '../../fixtures/index.ts'
import { createReference, type Reference, type ReferenceOptions } from '../../mock/index.ts'
import { validators, views, type ConformanceReport, type ViewName } from '../../schemas/index.ts'

let reference: Reference | undefined

afterEach(() => reference?.close())

async function judge(options: ReferenceOptions): Promise<ConformanceReport> {
  reference = await createReference(options)
  const { baseUrl, token, fetch } = reference
  // The time limit does not concern rows.
  const report = await runConformance({ baseUrl, token, fetch, skip: ['time.*'] })
  expect(validators.report(report), JSON.stringify(validators.report.errors)).toBe(true)
  return report
}

const lines = (report: ConformanceReport, ...outcomes: string[]) =>
  report.checks
    .filter(({ outcome }) => outcomes.includes(outcome))
    .map(({ id, outcome, message }) => `${id} ${outcome}: ${message}`)

/** The requirements about several responses or several rows. */
const RELATIONS = [
  'REQ-SQL-2',
  'REQ-SQL-3',
  'REQ-SQL-7',
  'REQ-JOIN-1',
  'REQ-DELTA-2',
  'REQ-DELTA-6',
  'REQ-DELTA-7',
  'REQ-VIEW-REFS',
  'REQ-VIEW-PARENT-REF',
  'REQ-VIEW-PARENTS',
  'REQ-VIEW-QD-UNIQUE',
  'REQ-VIEW-ID-UNIQUE',
  'REQ-VIEW-STATS-CONSISTENT',
  'REQ-VIEW-FR-STATS',
]

type Row = Record<string, unknown>

/** A dataset of one changed row for each view. */
function oneRow(change: (row: Row, view: (typeof views)[number]) => Row): Dataset {
  const source = createDataset({ scale: 0.01 })
  const tables = views.map((view) => {
    const [row] = source.rows(view.name as ViewName)
    return [view.name, [change(row as unknown as Row, view)]]
  })
  return datasetOf(Object.fromEntries(tables))
}

/** The plant with ids 1, 2, 3 … in each view of runs, and every external id equal to the id. */
function serialIds(): Dataset {
  const source = createDataset({ scale: 0.01 })
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

const nulled = (row: Row, { columns }: (typeof views)[number]): Row =>
  Object.fromEntries(
    Object.entries(row).map(([key, value]) => [
      key,
      columns.find(({ name }) => name === key)?.nullable ? null : value,
    ]),
  )

describe('the suite', { timeout: 240_000 }, () => {
  test.each([
    ['an empty database', () => datasetOf({}), []],
    ['one row in each view', () => oneRow((row) => row), []],
    // REQ-VIEW-FR-EXCLUSIVE is right to warn about a formula result without any result.
    [
      'one row in each view, null wherever null is allowed',
      () => oneRow(nulled),
      ['formula-results.one-form'],
    ],
  ])('fails no check over %s, and passes no check that needs several rows', async (_, dataset, warned) => {
    const report = await judge({ dataset: dataset() })
    expect(lines(report, 'fail', 'error')).toEqual([])
    expect(report.checks.filter(({ outcome }) => outcome === 'warn').map(({ id }) => id)).toEqual(warned)
    const relations = report.checks.filter(({ requirement }) => RELATIONS.includes(requirement))
    expect(relations.length).toBeGreaterThanOrEqual(RELATIONS.length)
    expect(relations.filter(({ outcome }) => outcome === 'pass').map(({ id }) => id)).toEqual([])
    expect(report.verdict).toBe('incomplete')
  })

  test('fails no check over serial ids, which are unique in their view only', async () => {
    const report = await judge({ dataset: serialIds() })
    expect(lines(report, 'fail', 'error', 'warn', 'inconclusive')).toEqual([])
    expect(report.counts.pass).toBeGreaterThan(50)
  })

  test('fails and warns on no check over a plant of another seed with rows as arrays', async () => {
    const report = await judge({ seed: 7, scale: 0.01, variants: { 'rows.shape': 'array' } })
    expect(lines(report, 'fail', 'error', 'warn', 'inconclusive')).toEqual([])
    expect(report.counts.pass).toBeGreaterThan(50)
  })
})

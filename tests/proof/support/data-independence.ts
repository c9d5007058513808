import { expect } from 'vitest'
import { runConformance } from '../../../conformance/run/conformance.ts'
import { createDataset, datasetOf, type Dataset } from '../../../fixtures/index.ts'
import { createReference, type ReferenceOptions } from '../../../mock/index.ts'
import type { Mutant } from '../mutant.ts'
import { validators, views, type ConformanceReport, type ViewName } from '../../../schemas/index.ts'

/** Judges a reference server with some data, without the time limit, which does not concern rows. */
export async function judge(
  options: ReferenceOptions,
  wrap: Mutant['wrap'] = (fetch) => fetch,
): Promise<ConformanceReport> {
  const reference = await createReference(options)
  try {
    const { baseUrl, token, fetch } = reference
    const report = await runConformance({ baseUrl, token, fetch: wrap(fetch), skip: ['time.*'] })
    expect(validators.report(report), JSON.stringify(validators.report.errors)).toBe(true)
    return report
  } finally {
    await reference.close()
  }
}

/** The checks with one of some outcomes, as text. */
export const lines = (report: ConformanceReport, ...outcomes: string[]): string[] =>
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

/** Expects that no check fails over too few rows, and that none passes that needs several. */
export async function expectNothingProven(dataset: Dataset, warned: readonly string[]): Promise<void> {
  const report = await judge({ dataset })
  expect(lines(report, 'fail', 'error')).toEqual([])
  expect(report.checks.filter(({ outcome }) => outcome === 'warn').map(({ id }) => id)).toEqual(warned)
  // Whether a statement is served needs no rows.
  const relations = report.checks.filter(
    ({ id, requirement }) => RELATIONS.includes(requirement) && !id.startsWith('replies.served:'),
  )
  expect(relations.length).toBeGreaterThanOrEqual(RELATIONS.length)
  expect(relations.filter(({ outcome }) => outcome === 'pass').map(({ id }) => id)).toEqual([])
  expect(report.verdict).toBe('incomplete')
}

export type Row = Record<string, unknown>

/** A dataset of one changed row for each view. */
export function oneRow(change: (row: Row, view: (typeof views)[number]) => Row): Dataset {
  const source = createDataset({ scale: 0.01 })
  const tables = views.map((view) => {
    const [row] = source.rows(view.name as ViewName)
    return [view.name, [change(row as unknown as Row, view)]]
  })
  return datasetOf(Object.fromEntries(tables))
}

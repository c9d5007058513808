import { expect, test } from 'vitest'
import { report, result } from './report.test-helper.ts'
import { suiteDocument } from './suite-document.ts'

const evidence = (columns: number) => [
  {
    request: `{"statement":"SELECT ${'a, '.repeat(columns)}b"}`,
    status: 200,
    bytes: 1,
    sha256: 'ab12',
    durationMs: 6,
  },
]
const failed = (id: string, requirement: string, columns: number, cause?: string, message = 'rows differ') =>
  result(id, requirement, {
    outcome: 'fail',
    message,
    evidence: evidence(columns),
    ...(cause !== undefined && { cause }),
  })

/** The entries of the failures: the id, and the details with these names. */
function failuresOf(...checks: Parameters<typeof report>[0]) {
  const section = suiteDocument(report(checks)).sections.find(({ id }) => id === 'failures')!
  if (section.kind !== 'findings') throw new Error('the failures are no findings')
  return section.entries.map(({ id, details }) => ({
    id,
    details: Object.fromEntries(details.map(([name, text]) => [name, text])),
  }))
}

test('failures of one cause are one entry with the shortest request, which names the others', () => {
  const found = failuresOf(
    failed('sql.large', 'REQ-SQL-2', 900, 'other values of data'),
    failed('sql.other', 'REQ-SQL-3', 10, 'other values of qc'),
    failed('sql.small', 'REQ-SQL-1', 20, 'other values of data'),
    failed('join.large', 'REQ-JOIN-1', 800, 'other values of data'),
  )
  expect(found.map(({ id, details }) => [id, details['also']])).toEqual([
    ['sql.small', 'join.large (REQ-JOIN-1), sql.large (REQ-SQL-2): other values of data'],
    ['sql.other', undefined],
  ])
})

test('failures that tell no cause are entries of their own', () => {
  const found = failuresOf(failed('a.one', 'REQ-SQL-2', 1), failed('a.two', 'REQ-SQL-2', 1))
  expect(found.map(({ id }) => id)).toEqual(['a.one', 'a.two'])
})

test('a long sentence keeps its start and its end', () => {
  const message = `\`SELECT ${'a, '.repeat(200)}b FROM v_formulas\`: 1 of 3 rows differ`
  const [found] = failuresOf(failed('a.one', 'REQ-SQL-2', 1, undefined, message))
  expect(found!.details['found']).toMatch(/^`SELECT a, .* … .*: 1 of 3 rows differ$/)
  expect(found!.details['found']!.length).toBe(200)
})

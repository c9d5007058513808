import { expect, test } from 'vitest'
import { columnsOf, type Query } from './syntax.ts'
import { documentedKind } from './classify.ts'
import { render } from './render.ts'

const from = { view: 'v_formulas', alias: 'l' } as const
const [id, name] = columnsOf(from)
const runs = { view: 'v_bioprocesses', alias: 'r' } as const
const join = { source: runs, on: { left: 'bioprocess_id', right: 'id' } }

const kinds: [kind: string, text: string, query: Query][] = [
  ['select', 'SELECT * FROM v_formulas', { items: ['*'], from }],
  ['limit', 'SELECT id, name FROM v_formulas LIMIT 3', { items: [id!, name!], from, limit: 3 }],
  [
    'delta-by-date',
    "SELECT id FROM v_formulas WHERE last_updated_at > '2025-12-01' LIMIT 3",
    { items: [id!], from, after: { date: '2025-12-01', sql: "'2025-12-01'" }, limit: 3 },
  ],
  [
    'delta-by-newest',
    'SELECT * FROM v_formulas WHERE last_updated_at > (SELECT MAX(last_updated_at) FROM v_quantities)',
    { items: ['*'], from, after: { newestOf: 'v_quantities' } },
  ],
  [
    'join',
    "SELECT l.id, r.id FROM v_formulas l LEFT JOIN v_bioprocesses r ON l.bioprocess_id = r.id WHERE l.last_updated_at > '2025-12-01'",
    { items: [id!, columnsOf(runs)[0]!], from, join, after: { date: '2025-12-01', sql: "'2025-12-01'" } },
  ],
  [
    'join',
    'SELECT l.id FROM v_formulas AS l LEFT JOIN v_bioprocesses AS r ON r.id = l.bioprocess_id',
    { items: [id!], from, join: { ...join, as: ' AS ', rightFirst: true } },
  ],
]

test.each(kinds)('a statement of the kind %s is %s', (kind, text, query) => {
  expect(documentedKind(query)).toBe(kind)
  expect(render(query)).toBe(text)
})

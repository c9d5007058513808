import { type Handmade } from '../handmade.test-helper.ts'

/** By the id of a silence and the slug of a way to fill it: a service that does it. */
export type Examples = Record<string, Record<string, Handmade>>

export type Row = Record<string, unknown>

export const runs = (...rows: Row[]): Handmade => ({
  rows: { v_bioprocesses: rows.map((row, index) => ({ id: `b${index}`, ...row })) },
})

export const quantities = (...rows: Row[]): Handmade => ({ rows: { v_quantities: rows } })

export const results = (...rows: Row[]): Handmade => ({ rows: { v_formula_results: rows } })

export const HOUR = 3_600_000

export const stamped = (last_updated_at: unknown, other = last_updated_at): Handmade =>
  quantities({ id: 'q1', last_updated_at }, { id: 'q2', last_updated_at: other })

export const oneRun = { rows: { v_bioprocesses: [{ id: 'b', name: 'Run', parent_id: null }] } }

export const archive = { rows: { v_archived_records: [{ record_id: 'r', table_name: 'formulas' }] } }

/** Answers those statements or bodies that match. */
export const on = (pattern: RegExp, answer: () => Response, rest: Handmade = {}): Handmade => ({
  ...rest,
  answer: ({ sql, body, url }) =>
    pattern.test(sql) || pattern.test(body) || pattern.test(url) ? answer() : undefined,
})

export const BAD_JSON = /^\{'/

export const many = (count: number): Row[] =>
  Array.from({ length: count }, (_, index) => ({ id: `p${index}` }))

import { statements } from '../../schemas/statements.ts'

/** What the tab opens with. */
export const firstStatement = `SELECT split_part(b.name, ' ', 1) AS run, b.qc->>'failure_mode' AS failure,
  e->>'timestamp' AS at, e->>'note' AS note
FROM v_bioprocesses b CROSS JOIN LATERAL jsonb_array_elements(b.events) e
WHERE e->>'note' IS NOT NULL
ORDER BY failure, b.run_start_timestamp DESC, at
LIMIT 100`

/** Statements to try: those that the contract documents, those of dashboards, which services may refuse, and errors. */
export const examples: readonly { readonly title: string; readonly statement: string }[] = [
  ...statements,
  { title: 'Some columns of a view', statement: 'SELECT id, name, status FROM v_bioprocesses LIMIT 20' },
  {
    title: 'A delta of the points',
    statement: "SELECT * FROM v_timeseries_data WHERE last_updated_at > '2025-12-20' LIMIT 1000",
  },
  {
    title: 'Runs by status',
    statement: 'SELECT status, count(*) AS runs FROM v_bioprocesses GROUP BY status ORDER BY runs DESC',
  },
  {
    title: 'The points of one series',
    statement: `SELECT d.timestamp, d.value
FROM v_timeseries_data d
WHERE d.id = (SELECT t.id FROM v_timeseries t
              LEFT JOIN v_quantities q ON t.quantity_id = q.id
              WHERE q.name = 'DO' LIMIT 1)
ORDER BY d.timestamp`,
  },
  { title: 'What people wrote, of failed runs first', statement: firstStatement },
  { title: 'A syntax error', statement: 'SELEC * FROM v_bioprocesses' },
  { title: 'A view that does not exist', statement: 'SELECT * FROM v_unknown' },
  { title: 'An error while it runs', statement: 'SELECT nope FROM v_bioprocesses' },
  { title: 'A change of data', statement: 'DELETE FROM v_bioprocesses' },
]

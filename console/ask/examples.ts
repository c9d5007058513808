import { statements } from '../../schemas/statements.ts'

/** A statement to try. */
export interface Example {
  readonly title: string
  readonly statement: string
}

/** Each kind of statement that the contract documents. */
const documented: readonly Example[] = [
  ...statements,
  { title: 'Some columns of a view', statement: 'SELECT id, name, status FROM v_bioprocesses LIMIT 20' },
  {
    title: 'A delta of the points',
    statement: "SELECT * FROM v_timeseries_data WHERE last_updated_at > '2025-12-20' LIMIT 1000",
  },
]

/** What dashboards ask; services may refuse it. */
const beyond: readonly Example[] = [
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
  {
    title: 'Runs that failed',
    statement: `SELECT name, qc->>'failure_mode' AS failure, run_start_timestamp
FROM v_bioprocesses
WHERE qc->>'failure_mode' IS NOT NULL`,
  },
  { title: 'Every point', statement: 'SELECT * FROM v_timeseries_data ORDER BY id, timestamp' },
]

/** How errors look. */
const errors: readonly Example[] = [
  { title: 'A syntax error', statement: 'SELEC * FROM v_bioprocesses' },
  { title: 'A view that does not exist', statement: 'SELECT * FROM v_unknown' },
  { title: 'An error while it runs', statement: 'SELECT nope FROM v_bioprocesses' },
  { title: 'A change of data', statement: 'DELETE FROM v_bioprocesses' },
]

export const exampleGroups: readonly { readonly title: string; readonly examples: readonly Example[] }[] = [
  { title: 'From the contract', examples: documented },
  { title: 'More than the contract documents', examples: beyond },
  { title: 'Errors', examples: errors },
]

export const firstStatement = statements[0]!.statement

import { views } from '../../../schemas/views.ts'

/** Statements over all rows take longer, so they are in each of these rounds only. */
const roundsPerScan = 15

/**
 * Statements of the usual kinds over all views, for V8 to optimise what they execute.
 *
 * @param round changes their literals
 */
export function usualStatements(round: number): string[] {
  const small = views.flatMap(({ name, columns }) => {
    const [key, other = key] = columns.map((column) => column.name)
    return [
      `SELECT * FROM ${name} LIMIT 10`,
      `SELECT * FROM ${name} WHERE ${key} = '${round}' LIMIT 10`,
      `SELECT ${key} AS k, count(*) AS n FROM ${name} WHERE ${key} IN ('${round}', 'a') GROUP BY 1 ORDER BY 2 DESC`,
      `SELECT ${other} FROM ${name} WHERE ${round} > 0 AND ${key} IS NOT NULL LIMIT 20`,
    ]
  })
  return round % roundsPerScan === 0 ? [...small, ...scans] : [...small, ...joins(round)]
}

const joins = (round: number): string[] => [
  `SELECT t.id, d.timestamp, d.value FROM v_timeseries t LEFT JOIN v_timeseries_data d ON d.id = t.id
   WHERE d.value > ${round} LIMIT 5`,
  `SELECT b.id, count(t.id) FROM v_bioprocesses b LEFT JOIN v_timeseries t ON t.bioprocess_id = b.id
   GROUP BY b.id HAVING count(t.id) > ${round % 5} ORDER BY 2 DESC, 1 LIMIT 10`,
  `WITH s AS (SELECT id, row_number() OVER (PARTITION BY bioprocess_id ORDER BY id) AS n FROM v_timeseries)
   SELECT * FROM s WHERE n <= ${1 + (round % 3)} LIMIT 50`,
]

const points = (count: number) => `(SELECT * FROM v_timeseries_data LIMIT ${count})`

const scans: string[] = [
  'SELECT * FROM v_timeseries_data',
  'SELECT id, avg(value), min(value), max(timestamp) FROM v_timeseries_data GROUP BY id ORDER BY id',
  `SELECT d.* FROM v_timeseries_data d JOIN v_timeseries t ON t.id = d.id
   WHERE d.timestamp > '2025-01-01' ORDER BY d.timestamp DESC LIMIT 20`,
  `SELECT date_trunc('hour', timestamp) AS hour, round(avg(value)::numeric, 2) FROM v_timeseries_data GROUP BY 1 ORDER BY 1 LIMIT 50`,
  `SELECT id, value - lag(value) OVER (PARTITION BY id ORDER BY timestamp) AS change FROM ${points(20_000)} d`,
  `SELECT count(*) FROM ${points(2_000)} a, ${points(100)} b`,
  `SELECT a.id FROM ${points(2_000)} a, v_quantities b ORDER BY a.value, b.name LIMIT 5`,
  `SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY value), stddev(value) FROM ${points(20_000)} d`,
  `SELECT jsonb_agg(d) FROM ${points(5_000)} d`,
  'SELECT sum(i), avg(i) FROM generate_series(1, 100000) i',
  `SELECT length(repeat('x', 1000000)), upper(substring(name FROM 2)) FROM v_quantities WHERE name ILIKE '%o%' OR name ~ '^[A-Z]'`,
  `SELECT name, CASE WHEN status = 'x' THEN 1 ELSE 0 END, coalesce(parent_id, '') FROM v_bioprocesses b
   WHERE EXISTS (SELECT 1 FROM v_timeseries t WHERE t.bioprocess_id = b.id) UNION SELECT external_id, 2, '' FROM v_experiments`,
]

import type { CorpusTopic } from './statement.ts'

export const pivots: CorpusTopic = {
  topic: 'pivots',
  title: 'long tables made wide',
  statements: [
    {
      id: 'setpoints-by-case',
      title: 'A row a run, a column a setpoint',
      why: 'The design of a study as a spreadsheet has it.',
      statement: `SELECT d.bioprocess_id,
          MAX(CASE WHEN q.name = 'Temperature setpoint' THEN (d.value #>> '{}')::float8 END) AS temperature,
          MAX(CASE WHEN q.name = 'pH setpoint' THEN (d.value #>> '{}')::float8 END) AS ph,
          MAX(CASE WHEN q.name = 'DO setpoint' THEN (d.value #>> '{}')::float8 END) AS dissolved_oxygen
        FROM v_bioprocess_quantity_data d JOIN v_quantities q ON q.id = d.quantity_id
        GROUP BY d.bioprocess_id ORDER BY d.bioprocess_id`,
      ordered: true,
    },
    {
      id: 'inputs-by-filter',
      title: 'Strain, medium and final titer of each run',
      why: 'The same with FILTER, texts and numbers side by side.',
      statement: `SELECT b.external_id,
          MAX(d.value #>> '{}') FILTER (WHERE q.name = 'Strain') AS strain,
          MAX(d.value #>> '{}') FILTER (WHERE q.name = 'Medium') AS medium,
          MAX((d.value #>> '{}')::float8) FILTER (WHERE q.name = 'Final titer') AS titer
        FROM v_bioprocesses b
        LEFT JOIN v_bioprocess_quantity_data d ON d.bioprocess_id = b.id
        LEFT JOIN v_quantities q ON q.id = d.quantity_id AND q.name IN ('Strain', 'Medium', 'Final titer')
        GROUP BY b.external_id`,
    },
    {
      id: 'scalars-as-object',
      title: 'All scalars of a run in one object',
      why: 'A run as one document.',
      statement: `SELECT d.bioprocess_id, JSONB_OBJECT_AGG(q.name, d.value) AS scalars
        FROM v_bioprocess_quantity_data d JOIN v_quantities q ON q.id = d.quantity_id
        GROUP BY d.bioprocess_id`,
    },
    {
      id: 'status-by-month',
      title: 'Runs by month and status',
      why: 'The load of the plant over a year.',
      statement: `SELECT DATE_TRUNC('month', start_timestamp) AS month,
          COUNT(*) FILTER (WHERE status = 'Completed') AS completed,
          COUNT(*) FILTER (WHERE status = 'In-progress') AS running,
          COUNT(*) FILTER (WHERE status NOT IN ('Completed', 'In-progress')) AS planned
        FROM v_bioprocesses GROUP BY 1 ORDER BY 1`,
      ordered: true,
    },
    {
      id: 'titer-by-strain',
      title: 'Final titers by strain',
      why: 'Which strain is worth going on with.',
      statement: `WITH scalars AS (
          SELECT d.bioprocess_id, q.name, d.value #>> '{}' AS value
          FROM v_bioprocess_quantity_data d JOIN v_quantities q ON q.id = d.quantity_id)
        SELECT strain.value AS strain, COUNT(*) AS runs, AVG(titer.value::float8) AS mean,
          MIN(titer.value::float8) AS lowest, MAX(titer.value::float8) AS highest
        FROM scalars strain JOIN scalars titer ON titer.bioprocess_id = strain.bioprocess_id
        WHERE strain.name = 'Strain' AND titer.name = 'Final titer'
        GROUP BY strain.value`,
    },
    {
      id: 'series-wide',
      title: 'The means of four online signals, a row a run',
      why: 'Runs are compared by their means first.',
      statement: `SELECT t.bioprocess_id,
          MAX((t.statistics ->> 'arithmetic_mean')::float8) FILTER (WHERE q.name = 'pH') AS ph,
          MAX((t.statistics ->> 'arithmetic_mean')::float8) FILTER (WHERE q.name = 'DO') AS dissolved_oxygen,
          MAX((t.statistics ->> 'arithmetic_mean')::float8) FILTER (WHERE q.name = 'Temperature') AS temperature,
          MAX((t.statistics ->> 'arithmetic_mean')::float8) FILTER (WHERE q.name = 'Agitation') AS agitation
        FROM v_timeseries t JOIN v_quantities q ON q.id = t.quantity_id GROUP BY t.bioprocess_id`,
    },
    {
      id: 'subtotals',
      title: 'Runs by status and quality, with totals',
      why: 'A table for a meeting needs its sums.',
      statement: `SELECT status, qc ->> 'status' AS quality, COUNT(*) AS n FROM v_bioprocesses
        GROUP BY ROLLUP (status, qc ->> 'status')`,
    },
  ],
}

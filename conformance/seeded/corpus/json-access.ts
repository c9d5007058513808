import type { CorpusTopic } from './statement.ts'

export const jsonAccess: CorpusTopic = {
  topic: 'json-access',
  title: 'what is inside objects and arrays',
  statements: [
    {
      id: 'events-as-rows',
      title: 'Every event of every run',
      why: 'A batch record lists what was done, in order.',
      statement: `SELECT b.external_id, e.event ->> 'type' AS type, (e.event ->> 'timestamp')::timestamptz AS happened_at, e.place
        FROM v_bioprocesses b
        CROSS JOIN LATERAL JSONB_ARRAY_ELEMENTS(b.events) WITH ORDINALITY AS e (event, place)`,
    },
    {
      id: 'volume-added',
      title: 'What volume was added to each run, by kind',
      why: 'Volumes have to balance.',
      statement: `SELECT b.id, e ->> 'addition_type' AS kind, SUM((e -> 'volume' ->> 'value')::float8) AS volume
        FROM v_bioprocesses b, JSONB_ARRAY_ELEMENTS(b.events) e
        WHERE e ->> 'type' = 'DbAdditionEvent' GROUP BY b.id, e ->> 'addition_type'`,
    },
    {
      id: 'samples-by-name',
      title: 'The samples of each run',
      why: 'A laboratory finds its results by these names.',
      statement: `SELECT b.external_id, COUNT(*) AS samples, MIN(e ->> 'sample_name') AS first, MAX(e ->> 'sample_name') AS last
        FROM v_bioprocesses b, JSONB_ARRAY_ELEMENTS(b.events) e
        WHERE e ->> 'removal_type' = 'Sample' GROUP BY b.external_id`,
    },
    {
      id: 'failed-quality',
      title: 'Runs that failed, and why',
      why: 'The list that a review begins with.',
      statement: `SELECT external_id, qc ->> 'failure_mode' AS failure_mode FROM v_bioprocesses WHERE qc ->> 'status' = 'Fail'`,
    },
    {
      id: 'statistics-as-columns',
      title: 'The statistics of each series as columns',
      why: 'Spreadsheets know no objects.',
      statement: `SELECT id, (statistics ->> 'count')::int AS n, (statistics ->> 'min')::float8 AS lowest,
          (statistics ->> 'max')::float8 AS highest, (statistics ->> 'standard_deviation')::float8 AS deviation
        FROM v_timeseries`,
    },
    {
      id: 'quantities-by-other-name',
      title: 'Quantities by any of their names',
      why: 'Every device names the same thing otherwise.',
      statement: `SELECT q.name, n.alternative FROM v_quantities q
        CROSS JOIN LATERAL JSONB_ARRAY_ELEMENTS_TEXT(q.alternative_names) AS n (alternative)`,
    },
    {
      id: 'attachments-by-type',
      title: 'Attachments by their type',
      why: 'How much there is to download.',
      statement: `SELECT a ->> 'mime_type' AS type, COUNT(*) AS n, SUM((a ->> 'size_bytes')::bigint) AS bytes
        FROM v_bioprocesses b, JSONB_ARRAY_ELEMENTS(b.attachments) a GROUP BY 1`,
    },
    {
      id: 'lineage-of-runs',
      title: 'Which run was seeded from which',
      why: 'A fault of a seed train shows in all of its children.',
      statement: `SELECT b.id, (b.lineage ->> 'generation')::int AS generation, p ->> 'bioprocess_id' AS parent
        FROM v_bioprocesses b, JSONB_ARRAY_ELEMENTS(b.lineage -> 'parents') p`,
    },
    {
      id: 'values-from-recipes',
      title: 'Values that a recipe set',
      why: 'They are plans, not measurements.',
      statement: `SELECT quantity_id, COUNT(*) AS n FROM v_bioprocess_quantity_data
        WHERE measurement_info @> '{"labels": {"source": "recipe"}}' GROUP BY quantity_id`,
    },
    {
      id: 'formula-series-as-points',
      title: 'The series of a formula result as points',
      why: 'Two arrays that belong together are drawn as a curve.',
      statement: `SELECT r.id, p.place, p.ms::text::float8 AS ms, (r.timeseries -> 'data' -> (p.place::int - 1))::text::float8 AS value
        FROM v_formula_results r
        JOIN v_formulas f ON f.id = r.formula_id AND f.name = 'Growth curve'
        CROSS JOIN LATERAL JSONB_ARRAY_ELEMENTS(r.timeseries -> 'times_ms') WITH ORDINALITY AS p (ms, place)`,
    },
    {
      id: 'texts-and-numbers',
      title: 'Scalar values by their JSON type',
      why: 'A value may be a text or a number.',
      statement: `SELECT JSONB_TYPEOF(value) AS type, COUNT(*) AS n FROM v_bioprocess_quantity_data GROUP BY JSONB_TYPEOF(value)`,
    },
  ],
}

import type { CorpusTopic } from './statement.ts'

export const deltas: CorpusTopic = {
  topic: 'deltas',
  title: 'what changed since a load',
  statements: [
    {
      id: 'newest-of-every-view',
      title: 'The newest change in every view',
      why: 'The bounds that the next load begins with.',
      statement: `SELECT 'v_bioprocesses' AS name, MAX(last_updated_at) AS newest FROM v_bioprocesses
        UNION ALL SELECT 'v_bioprocess_quantity_data', MAX(last_updated_at) FROM v_bioprocess_quantity_data
        UNION ALL SELECT 'v_timeseries', MAX(last_updated_at) FROM v_timeseries
        UNION ALL SELECT 'v_quantities', MAX(last_updated_at) FROM v_quantities
        UNION ALL SELECT 'v_formulas', MAX(last_updated_at) FROM v_formulas
        UNION ALL SELECT 'v_formula_results', MAX(last_updated_at) FROM v_formula_results
        UNION ALL SELECT 'v_experiments', MAX(last_updated_at) FROM v_experiments`,
    },
    {
      id: 'with-lookback',
      title: 'Runs that changed in the ten days before the newest change',
      why: 'A load that overlaps the last one forgives clocks that differ.',
      statement: `SELECT id, external_id, status, last_updated_at FROM v_bioprocesses
        WHERE last_updated_at > (SELECT MAX(last_updated_at) FROM v_bioprocesses) - INTERVAL '10 days'`,
    },
    {
      id: 'quantity-data-of-changed-runs',
      title: 'Scalar values that changed in December',
      why: 'A bounded delta is loaded in slices that each fit into the time limit.',
      statement: `SELECT id, bioprocess_id, quantity_id, value FROM v_bioprocess_quantity_data
        WHERE last_updated_at >= '2025-12-01T00:00:00Z' AND last_updated_at < '2026-01-01T00:00:00Z'`,
    },
    {
      id: 'series-newer-than-their-run',
      title: 'Series that changed after their own run did',
      why: 'Data that came in late are looked at again.',
      statement: `SELECT t.id, t.last_updated_at, b.last_updated_at AS run_updated_at FROM v_timeseries t
        JOIN v_bioprocesses b ON b.id = t.bioprocess_id WHERE t.last_updated_at > b.last_updated_at`,
    },
    {
      id: 'archived-since',
      title: 'What was archived lately, by view',
      why: 'A copy has to forget what the service has forgotten.',
      statement: `SELECT table_name, COUNT(*) AS n, MAX(archived_at) AS latest FROM v_archived_records
        WHERE archived_at > '2025-01-01T00:00:00Z' GROUP BY table_name`,
    },
    {
      id: 'archived-and-still-there',
      title: 'Archived runs that are served nevertheless',
      why: 'There must not be any.',
      statement: `SELECT b.id FROM v_bioprocesses b
        JOIN v_archived_records a ON a.record_id = b.id AND a.table_name = 'bioprocesses'`,
      empty: true,
    },
    {
      id: 'changes-by-day',
      title: 'How many series changed on which day',
      why: 'Tells how large the next delta may be.',
      statement: `SELECT DATE_TRUNC('day', last_updated_at) AS day, COUNT(*) AS n FROM v_timeseries
        GROUP BY DATE_TRUNC('day', last_updated_at) ORDER BY day`,
      ordered: true,
    },
  ],
}

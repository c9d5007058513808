import type { CorpusTopic } from './statement.ts'

export const cursorLoads: CorpusTopic = {
  topic: 'cursor-loads',
  title: 'page after page of a view',
  statements: [
    {
      id: 'first-page-by-id',
      title: 'The first page of quantity data',
      why: 'A full load begins without a cursor.',
      statement:
        'SELECT id, bioprocess_id, quantity_id, value, unit FROM v_bioprocess_quantity_data ORDER BY id LIMIT 100',
      ordered: true,
    },
    {
      id: 'next-page-by-id',
      title: 'The page after a known id',
      why: 'A full load goes on where the last page ended, however many rows were added before it.',
      statement: `SELECT id, bioprocess_id, unit FROM v_timeseries
        WHERE id > (SELECT id FROM v_timeseries ORDER BY id LIMIT 1 OFFSET 99) ORDER BY id LIMIT 100`,
      ordered: true,
    },
    {
      id: 'keyset-by-change',
      title: 'The page after a change and an id',
      why: 'Many rows share one last_updated_at; the pair of both is a cursor that loses none of them.',
      statement: `SELECT id, last_updated_at FROM v_timeseries
        WHERE (last_updated_at, id) > (SELECT last_updated_at, id FROM v_timeseries
          ORDER BY last_updated_at, id LIMIT 1 OFFSET 300)
        ORDER BY last_updated_at, id LIMIT 200`,
      ordered: true,
    },
    {
      id: 'page-by-offset',
      title: 'The third page of formula results',
      why: 'Tables in a browser page by number.',
      statement: `SELECT id, formula_id, bioprocess_id, unit FROM v_formula_results
        ORDER BY last_updated_at DESC, id LIMIT 50 OFFSET 100`,
      ordered: true,
    },
    {
      id: 'points-of-one-series',
      title: 'The points of the longest series',
      why: 'A chart draws one series whole.',
      statement: `SELECT timestamp, value FROM v_timeseries_data
        WHERE id = (SELECT id FROM v_timeseries ORDER BY (statistics ->> 'count')::int DESC, id LIMIT 1)
        ORDER BY timestamp`,
      ordered: true,
    },
    {
      id: 'points-after-timestamp',
      title: 'The points of one run in one hour',
      why: 'A running process is followed by its newest points.',
      statement: `SELECT d.id, d.timestamp, d.value FROM v_timeseries_data d
        JOIN v_timeseries t ON t.id = d.id
        JOIN v_bioprocesses b ON b.id = t.bioprocess_id
        WHERE b.external_id = (SELECT MIN(external_id) FROM v_bioprocesses WHERE run_end_timestamp IS NOT NULL)
          AND d.timestamp >= b.run_start_timestamp + INTERVAL '1 hour'
          AND d.timestamp < b.run_start_timestamp + INTERVAL '2 hours'
        ORDER BY d.id, d.timestamp`,
      ordered: true,
    },
    {
      id: 'slice-by-first-letters',
      title: 'One slice of the ids',
      why: 'A load in parallel splits a view by its ids.',
      statement: `SELECT RIGHT(id, 1) AS slice, COUNT(*) AS n FROM v_formula_results GROUP BY RIGHT(id, 1)`,
    },
  ],
}

import type { CorpusTopic } from './statement.ts'

/** Runs that were induced, with the moment. */
const INDUCED = `WITH induced AS (
          SELECT id, external_id, run_start_timestamp, (induction_event ->> 'timestamp')::timestamptz AS induced_at
          FROM v_bioprocesses WHERE induction_event IS NOT NULL)`

const series = (name: string): string => `JOIN v_timeseries t ON t.bioprocess_id = i.id
        JOIN v_quantities q ON q.id = t.quantity_id AND q.name = '${name}'
        JOIN v_timeseries_data d ON d.id = t.id`

export const alignment: CorpusTopic = {
  topic: 'alignment',
  title: 'runs aligned on their induction',
  statements: [
    {
      id: 'hours-since-induction',
      title: 'Optical density by hours since induction',
      why: 'Runs are induced at different ages; only aligned on it their curves lie upon each other.',
      statement: `${INDUCED}
        SELECT i.external_id, EXTRACT(EPOCH FROM d.timestamp - i.induced_at)::float8 / 3600 AS hours, d.value
        FROM induced i ${series('OD600')} ORDER BY i.id, d.timestamp`,
    },
    {
      id: 'age-at-induction',
      title: 'How old runs are when they are induced',
      why: 'Late inductions explain low titers.',
      statement: `${INDUCED}
        SELECT id, EXTRACT(EPOCH FROM induced_at - run_start_timestamp)::float8 / 3600 AS hours FROM induced`,
    },
    {
      id: 'last-value-before-induction',
      title: 'The last optical density before induction',
      why: 'What was induced at, next to what was planned.',
      statement: `${INDUCED}
        SELECT DISTINCT ON (i.id) i.id, d.timestamp, d.value
        FROM induced i ${series('OD600')}
        WHERE d.timestamp <= i.induced_at ORDER BY i.id, d.timestamp DESC`,
      ordered: true,
    },
    {
      id: 'two-hours-around-induction',
      title: 'Temperature before and after induction',
      why: 'A shift of the temperature belongs to many inductions.',
      statement: `${INDUCED}
        SELECT i.id,
          AVG(d.value) FILTER (WHERE d.timestamp < i.induced_at) AS before,
          AVG(d.value) FILTER (WHERE d.timestamp >= i.induced_at) AS after
        FROM induced i ${series('Temperature')}
        WHERE d.timestamp BETWEEN i.induced_at - INTERVAL '2 hours' AND i.induced_at + INTERVAL '2 hours'
        GROUP BY i.id`,
    },
    {
      id: 'mean-curve',
      title: 'The mean optical density by whole hours since induction',
      why: 'The curve of a process, over all of its runs.',
      statement: `${INDUCED}
        SELECT FLOOR(EXTRACT(EPOCH FROM d.timestamp - i.induced_at) / 3600)::int AS hour,
          COUNT(DISTINCT i.id) AS runs, AVG(d.value) AS mean, STDDEV_SAMP(d.value) AS deviation
        FROM induced i ${series('OD600')} GROUP BY 1 ORDER BY 1`,
      ordered: true,
    },
    {
      id: 'planned-and-actual-density',
      title: 'The density planned for the induction and the one met',
      why: 'Tells how well operators hit the moment.',
      statement: `SELECT b.external_id, (b.induction_event ->> 'od600')::float8 AS met, (d.value #>> '{}')::float8 AS planned
        FROM v_bioprocesses b
        JOIN v_bioprocess_quantity_data d ON d.bioprocess_id = b.id
        JOIN v_quantities q ON q.id = d.quantity_id AND q.name = 'Induction OD'
        WHERE b.induction_event IS NOT NULL`,
    },
    {
      id: 'titer-after-induction',
      title: 'Titer over time since induction',
      why: 'Product forms from then on.',
      statement: `${INDUCED}
        SELECT i.external_id, ROUND(EXTRACT(EPOCH FROM d.timestamp - i.induced_at) / 3600, 1)::float8 AS hours, d.value
        FROM induced i ${series('Titer')} WHERE d.timestamp > i.induced_at`,
    },
  ],
}

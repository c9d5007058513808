import type { CorpusTopic } from './statement.ts'

const points = (name: string): string => `v_timeseries_data d
        JOIN v_timeseries t ON t.id = d.id
        JOIN v_quantities q ON q.id = t.quantity_id AND q.name = '${name}'`

export const windows: CorpusTopic = {
  topic: 'windows',
  title: 'window functions over series',
  statements: [
    {
      id: 'difference-to-last-point',
      title: 'By how much glucose changed from sample to sample',
      why: 'Uptake shows in the steps.',
      statement: `SELECT d.id, d.timestamp, d.value - LAG(d.value) OVER (PARTITION BY d.id ORDER BY d.timestamp) AS step
        FROM ${points('Glucose')}`,
    },
    {
      id: 'moving-average',
      title: 'Dissolved oxygen, smoothed over five points',
      why: 'Probes are noisy.',
      statement: `SELECT d.id, d.timestamp, AVG(d.value) OVER
          (PARTITION BY d.id ORDER BY d.timestamp ROWS BETWEEN 2 PRECEDING AND 2 FOLLOWING) AS smooth
        FROM ${points('DO')} WHERE t.id IN (SELECT id FROM v_timeseries ORDER BY id LIMIT 200)`,
    },
    {
      id: 'latest-value-of-each-series',
      title: 'The last point of each series of carbon dioxide',
      why: 'A dashboard shows the latest values.',
      statement: `SELECT id, timestamp, value FROM (
          SELECT d.id, d.timestamp, d.value, ROW_NUMBER() OVER (PARTITION BY d.id ORDER BY d.timestamp DESC) AS age
          FROM ${points('Off-gas CO2')}) points WHERE age = 1`,
    },
    {
      id: 'rank-of-titers',
      title: 'Runs ranked by their highest titer',
      why: 'The best run first.',
      statement: `SELECT t.bioprocess_id, (t.statistics ->> 'max')::float8 AS titer,
          RANK() OVER (ORDER BY (t.statistics ->> 'max')::float8 DESC NULLS LAST) AS place
        FROM v_timeseries t JOIN v_quantities q ON q.id = t.quantity_id WHERE q.name = 'Titer'`,
    },
    {
      id: 'running-maximum',
      title: 'The highest density so far',
      why: 'Cultures that lose density after their peak are dying.',
      statement: `SELECT d.id, d.timestamp, d.value, MAX(d.value) OVER (PARTITION BY d.id ORDER BY d.timestamp) AS peak
        FROM ${points('OD600')}`,
    },
    {
      id: 'share-of-series',
      title: 'The share of each view in what was archived',
      why: 'A total beside every row.',
      statement: `SELECT table_name, COUNT(*) AS n, COUNT(*)::float8 / SUM(COUNT(*)) OVER () AS share
        FROM v_archived_records GROUP BY table_name`,
    },
    {
      id: 'quartile-of-runs',
      title: 'Runs in four groups by their length',
      why: 'The shortest quarter is looked at for failures.',
      statement: `SELECT id, duration_ms, NTILE(4) OVER (ORDER BY duration_ms, id) AS quarter FROM v_bioprocesses`,
    },
    {
      id: 'time-between-runs',
      title: 'How long the plant stood still between starts',
      why: 'Turnaround is what a plant sells.',
      statement: `SELECT id, run_start_timestamp,
          EXTRACT(EPOCH FROM run_start_timestamp - LAG(run_start_timestamp) OVER (ORDER BY run_start_timestamp, id))::float8 AS seconds
        FROM v_bioprocesses WHERE run_start_timestamp IS NOT NULL ORDER BY run_start_timestamp, id`,
      ordered: true,
    },
    {
      id: 'first-and-last',
      title: 'The first and the last weight of each vessel',
      why: 'Evaporation, feed and samples in one number.',
      statement: `SELECT DISTINCT d.id, FIRST_VALUE(d.value) OVER series AS first, LAST_VALUE(d.value) OVER series AS last
        FROM ${points('Vessel weight')}
        WINDOW series AS (PARTITION BY d.id ORDER BY d.timestamp
          ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)`,
    },
  ],
}

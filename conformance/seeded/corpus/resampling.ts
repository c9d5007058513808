import type { CorpusTopic } from './statement.ts'

const points = (name: string): string => `v_timeseries_data d
        JOIN v_timeseries t ON t.id = d.id
        JOIN v_quantities q ON q.id = t.quantity_id AND q.name = '${name}'`

export const resampling: CorpusTopic = {
  topic: 'resampling',
  title: 'series on another grid, and their gaps',
  statements: [
    {
      id: 'hourly-means',
      title: 'pH by the hour',
      why: 'A year of points does not fit on a screen.',
      statement: `SELECT t.bioprocess_id, DATE_TRUNC('hour', d.timestamp) AS hour, AVG(d.value) AS mean
        FROM ${points('pH')} GROUP BY 1, 2`,
    },
    {
      id: 'quarter-hours',
      title: 'Oxygen uptake by quarters of an hour',
      why: 'Signals of different rates are compared on one grid.',
      statement: `SELECT d.id, DATE_BIN('15 minutes', d.timestamp, TIMESTAMPTZ '2025-01-01T00:00:00Z') AS quarter,
          MIN(d.value) AS lowest, MAX(d.value) AS highest
        FROM ${points('OUR')} GROUP BY 1, 2`,
    },
    {
      id: 'six-hours-filled',
      title: 'Optical density every six hours, also where there is none',
      why: 'Samples are few; a grid shows where one is missing.',
      statement: `SELECT b.id, g.moment, COUNT(d.value) AS n, AVG(d.value) AS mean
        FROM v_bioprocesses b
        CROSS JOIN LATERAL GENERATE_SERIES(b.run_start_timestamp, b.run_end_timestamp, INTERVAL '6 hours') AS g (moment)
        LEFT JOIN v_timeseries t ON t.bioprocess_id = b.id
          AND t.quantity_id = (SELECT id FROM v_quantities WHERE name = 'OD600')
        LEFT JOIN v_timeseries_data d ON d.id = t.id AND d.timestamp >= g.moment AND d.timestamp < g.moment + INTERVAL '6 hours'
        GROUP BY b.id, g.moment`,
    },
    {
      id: 'gaps-in-series',
      title: 'Where a probe was silent',
      why: 'A gap of twice the usual step is a fault of the line.',
      statement: `SELECT id, timestamp, seconds FROM (
          SELECT d.id, d.timestamp,
            EXTRACT(EPOCH FROM d.timestamp - LAG(d.timestamp) OVER (PARTITION BY d.id ORDER BY d.timestamp))::float8 AS seconds
          FROM ${points('DO')} WHERE d.value IS NOT NULL) steps WHERE seconds > 1800`,
    },
    {
      id: 'points-without-value',
      title: 'Points that hold no value, by quantity',
      why: 'A probe that answers nothing is there but of no use.',
      statement: `SELECT q.name, COUNT(*) AS n FROM v_timeseries_data d JOIN v_timeseries t ON t.id = d.id
        JOIN v_quantities q ON q.id = t.quantity_id WHERE d.value IS NULL GROUP BY q.name`,
    },
    {
      id: 'area-under-curve',
      title: 'The integral of oxygen uptake',
      why: 'Trapezes give the oxygen taken up in all.',
      statement: `SELECT id, SUM(area) AS integral FROM (
          SELECT d.id, (d.value + LAG(d.value) OVER series) / 2
            * EXTRACT(EPOCH FROM d.timestamp - LAG(d.timestamp) OVER series)::float8 / 3600 AS area
          FROM ${points('OUR')} WINDOW series AS (PARTITION BY d.id ORDER BY d.timestamp)) trapezes GROUP BY id`,
    },
    {
      id: 'every-tenth-point',
      title: 'Every tenth point of the air flow',
      why: 'The cheapest way to thin a curve out.',
      statement: `SELECT id, timestamp, value FROM (
          SELECT d.id, d.timestamp, d.value, ROW_NUMBER() OVER (PARTITION BY d.id ORDER BY d.timestamp) AS place
          FROM ${points('Air flow')}) numbered WHERE place % 10 = 1`,
    },
  ],
}

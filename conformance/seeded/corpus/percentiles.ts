import type { CorpusTopic } from './statement.ts'

export const percentiles: CorpusTopic = {
  topic: 'percentiles',
  title: 'medians, quartiles and histograms',
  statements: [
    {
      id: 'median-of-every-signal',
      title: 'The median of the means of every quantity',
      why: 'What is normal for a signal.',
      statement: `SELECT q.name, PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY (t.statistics ->> 'arithmetic_mean')::float8) AS median
        FROM v_timeseries t JOIN v_quantities q ON q.id = t.quantity_id GROUP BY q.name`,
    },
    {
      id: 'quartiles-of-length',
      title: 'Quartiles of the length of runs',
      why: 'An outlier is what lies far outside of them.',
      statement: `SELECT PERCENTILE_CONT(ARRAY[0.25, 0.5, 0.75]) WITHIN GROUP (ORDER BY duration_ms) AS quartiles FROM v_bioprocesses`,
    },
    {
      id: 'most-frequent-unit',
      title: 'The unit that most series of a quantity have',
      why: 'Units get mixed up.',
      statement: `SELECT quantity_id, MODE() WITHIN GROUP (ORDER BY unit) AS unit, COUNT(DISTINCT unit) AS units
        FROM v_timeseries GROUP BY quantity_id`,
    },
    {
      id: 'temperature-band',
      title: 'Within which band temperature stays',
      why: 'The tenth and the ninetieth percentile tell how good control is.',
      statement: `SELECT t.bioprocess_id, PERCENTILE_DISC(0.1) WITHIN GROUP (ORDER BY d.value) AS low,
          PERCENTILE_DISC(0.9) WITHIN GROUP (ORDER BY d.value) AS high
        FROM v_timeseries_data d JOIN v_timeseries t ON t.id = d.id
        JOIN v_quantities q ON q.id = t.quantity_id AND q.name = 'Temperature' GROUP BY t.bioprocess_id`,
    },
    {
      id: 'histogram-of-oxygen',
      title: 'How often dissolved oxygen is where',
      why: 'Time below a fifth is time that cells suffer.',
      statement: `SELECT WIDTH_BUCKET(d.value, 0, 100, 10) AS bucket, COUNT(*) AS n
        FROM v_timeseries_data d JOIN v_timeseries t ON t.id = d.id
        JOIN v_quantities q ON q.id = t.quantity_id AND q.name = 'DO' GROUP BY 1 ORDER BY 1`,
      ordered: true,
    },
  ],
}

import type { CorpusTopic } from './statement.ts'

const points = (name: string): string => `v_timeseries_data d
        JOIN v_timeseries t ON t.id = d.id
        JOIN v_quantities q ON q.id = t.quantity_id AND q.name = '${name}'
        JOIN v_bioprocesses b ON b.id = t.bioprocess_id`
const HOURS = `EXTRACT(EPOCH FROM d.timestamp - b.run_start_timestamp)::float8 / 3600`

export const regressions: CorpusTopic = {
  topic: 'regressions',
  title: 'rates, slopes and correlations',
  statements: [
    {
      id: 'specific-growth-rate',
      title: 'The growth rate of each run',
      why: 'The slope of the logarithm of the density while cells grow.',
      statement: `SELECT b.id, REGR_SLOPE(LN(d.value), ${HOURS}) AS rate, REGR_R2(LN(d.value), ${HOURS}) AS fit
        FROM ${points('OD600')}
        WHERE d.value > 0 AND d.timestamp < b.run_start_timestamp + INTERVAL '8 hours' GROUP BY b.id`,
    },
    {
      id: 'doubling-time',
      title: 'How long cells take to double',
      why: 'The same, as people say it.',
      statement: `SELECT b.id, LN(2) / NULLIF(REGR_SLOPE(LN(d.value), ${HOURS}), 0) AS hours
        FROM ${points('OD600')}
        WHERE d.value > 0 AND d.timestamp < b.run_start_timestamp + INTERVAL '8 hours'
        GROUP BY b.id HAVING REGR_SLOPE(LN(d.value), ${HOURS}) > 0.01`,
    },
    {
      id: 'oxygen-and-stirrer',
      title: 'How dissolved oxygen goes with the stirrer',
      why: 'A cascade that works shows as a correlation.',
      statement: `SELECT o.bioprocess_id, CORR(od.value, ad.value) AS correlation, COUNT(*) AS n
        FROM v_timeseries o
        JOIN v_quantities oq ON oq.id = o.quantity_id AND oq.name = 'DO'
        JOIN v_timeseries a ON a.bioprocess_id = o.bioprocess_id
        JOIN v_quantities aq ON aq.id = a.quantity_id AND aq.name = 'Agitation'
        JOIN v_timeseries_data od ON od.id = o.id
        JOIN v_timeseries_data ad ON ad.id = a.id AND ad.timestamp = od.timestamp
        GROUP BY o.bioprocess_id`,
    },
    {
      id: 'density-and-dry-weight',
      title: 'Dry weight for one unit of optical density',
      why: 'The factor that a plant calibrates once.',
      statement: `SELECT REGR_SLOPE(w.value, o.value) AS factor, REGR_INTERCEPT(w.value, o.value) AS zero, REGR_COUNT(w.value, o.value) AS n
        FROM v_timeseries wt
        JOIN v_quantities wq ON wq.id = wt.quantity_id AND wq.name = 'DCW'
        JOIN v_timeseries ot ON ot.bioprocess_id = wt.bioprocess_id
        JOIN v_quantities oq ON oq.id = ot.quantity_id AND oq.name = 'OD600'
        JOIN v_timeseries_data w ON w.id = wt.id
        JOIN v_timeseries_data o ON o.id = ot.id AND o.timestamp = w.timestamp`,
    },
    {
      id: 'drift-of-weight',
      title: 'Vessels that lose weight',
      why: 'A slope below nothing is evaporation, or a leak.',
      statement: `SELECT t.id, REGR_SLOPE(d.value, ${HOURS}) AS kg_an_hour FROM ${points('Vessel weight')} GROUP BY t.id`,
    },
    {
      id: 'titer-and-length',
      title: 'Whether longer runs make more',
      why: 'One number over all runs.',
      statement: `SELECT CORR((d.value #>> '{}')::float8, b.duration_ms) AS correlation,
          COVAR_SAMP((d.value #>> '{}')::float8, b.duration_ms / 3600000) AS covariance
        FROM v_bioprocess_quantity_data d
        JOIN v_quantities q ON q.id = d.quantity_id AND q.name = 'Final titer'
        JOIN v_bioprocesses b ON b.id = d.bioprocess_id`,
    },
  ],
}

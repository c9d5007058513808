import type { CorpusTopic } from './statement.ts'

const scalar = (
  alias: string,
  name: string,
): string => `JOIN v_bioprocess_quantity_data ${alias} ON ${alias}.bioprocess_id = b.id
          AND ${alias}.quantity_id = (SELECT id FROM v_quantities WHERE name = '${name}')`
const series = (
  alias: string,
  name: string,
): string => `JOIN v_timeseries ${alias} ON ${alias}.bioprocess_id = b.id
          AND ${alias}.quantity_id = (SELECT id FROM v_quantities WHERE name = '${name}')`

export const yields: CorpusTopic = {
  topic: 'yields',
  title: 'yields, balances and what does not fit',
  statements: [
    {
      id: 'productivity',
      title: 'Titer an hour of each run',
      why: 'What a plant earns is product by time.',
      statement: `SELECT b.external_id, (f.value #>> '{}')::float8 / (b.duration_ms / 3600000) AS grams_per_litre_and_hour
        FROM v_bioprocesses b ${scalar('f', 'Final titer')} WHERE b.duration_ms > 0`,
    },
    {
      id: 'product-on-biomass',
      title: 'Product for one gram of dry weight',
      why: 'Cells that grow instead of making product show here.',
      statement: `SELECT b.id, (t.statistics ->> 'max')::float8 / NULLIF((w.statistics ->> 'max')::float8, 0) AS yield
        FROM v_bioprocesses b ${series('t', 'Titer')} ${series('w', 'DCW')}`,
    },
    {
      id: 'respiratory-quotient',
      title: 'Carbon dioxide made for oxygen taken up',
      why: 'About one on glucose; more or less tells of another metabolism.',
      statement: `SELECT b.id, (c.statistics ->> 'sum')::float8 / NULLIF((o.statistics ->> 'sum')::float8, 0) AS quotient
        FROM v_bioprocesses b ${series('c', 'CER')} ${series('o', 'OUR')}`,
    },
    {
      id: 'above-average',
      title: 'Runs whose titer is above the mean of all',
      why: 'A question over an aggregate of the same rows.',
      statement: `SELECT b.external_id, (f.value #>> '{}')::float8 AS titer FROM v_bioprocesses b ${scalar('f', 'Final titer')}
        WHERE (f.value #>> '{}')::float8 > (SELECT AVG((d.value #>> '{}')::float8) FROM v_bioprocess_quantity_data d
          JOIN v_quantities q ON q.id = d.quantity_id WHERE q.name = 'Final titer')`,
    },
    {
      id: 'runs-without-series',
      title: 'Runs that have no series',
      why: 'They are planned, or their data did not arrive.',
      statement: `SELECT b.id, b.status FROM v_bioprocesses b
        WHERE NOT EXISTS (SELECT 1 FROM v_timeseries t WHERE t.bioprocess_id = b.id)`,
    },
    {
      id: 'quantities-seldom-used',
      title: 'Quantities of fewer than five series',
      why: 'A catalogue grows by what nobody measures.',
      statement: `SELECT q.name, COUNT(t.id) AS series FROM v_quantities q
        LEFT JOIN v_timeseries t ON t.quantity_id = q.id
        GROUP BY q.name HAVING COUNT(t.id) < 5`,
    },
    {
      id: 'statistics-against-points',
      title: 'Series whose count is not that of their points with a value',
      why: 'Statistics that were computed before the last points came.',
      statement: `SELECT t.id, (t.statistics ->> 'count')::int AS counted, COUNT(d.timestamp) AS points, COUNT(d.value) AS valued
        FROM v_timeseries t LEFT JOIN v_timeseries_data d ON d.id = t.id GROUP BY t.id, t.statistics`,
    },
    {
      id: 'runs-of-experiments',
      title: 'Runs of every experiment, those without one as well',
      why: 'A campaign is judged as a whole.',
      statement: `SELECT COALESCE(e.external_id, 'none') AS experiment, COUNT(*) AS runs,
          STRING_AGG(b.external_id, ', ' ORDER BY b.external_id) AS names
        FROM v_bioprocesses b FULL JOIN v_experiments e ON e.id = b.parent_id GROUP BY e.external_id`,
    },
    {
      id: 'growth-rates-of-formulas',
      title: 'Growth rates as formulas have them',
      why: 'Results that are one value, and how good their fit is.',
      statement: `SELECT f.name, r.bioprocess_id, (r.data ->> 'value')::float8 AS rate, (r.data ->> 'r2')::float8 AS fit
        FROM v_formula_results r JOIN v_formulas f ON f.id = r.formula_id WHERE r.data IS NOT NULL`,
    },
  ],
}

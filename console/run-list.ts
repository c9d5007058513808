import { textOf } from './parts/format.ts'

/** Joins the product of each run, as `p.product`. */
export const joinProduct = `LEFT JOIN (
  SELECT d.bioprocess_id AS run_id, d.value AS product
  FROM v_bioprocess_quantity_data d LEFT JOIN v_quantities q ON d.quantity_id = q.id
  WHERE q.name = 'Product') p ON p.run_id = b.id`

/** The name of a run is its code and then its process. */
export const statement = `SELECT split_part(b.name, ' ', 1) AS run, p.product, substr(b.name, strpos(b.name, ' ') + 1) AS process,
  b.status, b.qc->>'status' AS quality, b.qc->>'failure_mode' AS failure,
  to_char(b.run_start_timestamp AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI') AS start, b.id, b.last_updated_at
FROM v_bioprocesses b ${joinProduct}
ORDER BY b.run_start_timestamp DESC NULLS LAST, b.start_timestamp DESC`

/** A row of the list. Times are milliseconds since 1970, and NaN where there is none. */
export type RunRow = ReturnType<typeof runIn>

/** Reads a row of the list. */
export const runIn = ([
  run,
  product,
  ,
  status,
  quality,
  failure,
  start,
  id,
  updated,
]: readonly unknown[]) => ({
  id: String(id),
  run: String(run),
  /** What the codes of all runs of a process begin with, such as EC. */
  kind: String(run).split('-')[0],
  product: textOf(product),
  status: String(status),
  quality: textOf(quality),
  failure: textOf(failure),
  start: Date.parse(`${String(start).replace(' ', 'T')}Z`),
  updated: Date.parse(String(updated)),
})

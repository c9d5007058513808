import { sqlLiteral } from '../../base/text/sql-literal.ts'
import type { Service } from '../service/service.ts'
import { type Note, tellingOf } from './telling.ts'

/** A run in a few words, with the curve that tells. */
export interface Evidence {
  readonly note?: Note | undefined
  /** The quantities to plot, the one of the curve first. */
  readonly quantities: readonly string[]
  readonly curve?: Curve
}

/** Some means of a series; a missing value is a gap. */
export interface Curve {
  readonly quantity: string
  readonly unit: string
  readonly points: readonly (readonly [at: number, value: number | null])[]
}

/** Points of a small curve. */
const points = 48

const list = (texts: readonly string[]) => texts.map(sqlLiteral).join()

/**
 * Reads the notes of some runs, and then one curve of each: two statements for all.
 *
 * @throws StatementFailed
 */
export async function readEvidence(
  service: Service,
  runs: readonly { readonly id: string; readonly failure: string }[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Evidence>> {
  if (runs.length === 0) return new Map()
  const notes = await service.read(
    `SELECT b.id, e->>'timestamp' AS at, e->>'note' AS note
FROM v_bioprocesses b CROSS JOIN LATERAL jsonb_array_elements(to_jsonb(b.events)) e
WHERE b.id IN (${list(runs.map(({ id }) => id))}) AND e->>'note' IS NOT NULL`,
    signal,
  )
  const told = runs.map(({ id, failure }) => {
    const own = notes.filter(([run]) => run === id)
    const inOrder = own.map(([, at, text]) => ({ at: Date.parse(String(at)), text: String(text) }))
    return { id, ...tellingOf({ failure, notes: inOrder.toSorted((a, b) => a.at - b.at) }) }
  })
  const curves = await service.read(
    `WITH wanted (run, names) AS (VALUES ${told.map(({ id, quantities }) => `(${sqlLiteral(id)}, ARRAY[${list(quantities)}])`).join()}),
series AS (
  SELECT DISTINCT ON (w.run) w.run, t.id, q.name, t.unit, t.start_timestamp AS start,
    greatest(extract(epoch FROM t.end_timestamp - t.start_timestamp), 1) / ${points} AS step
  FROM wanted w JOIN v_timeseries t ON t.bioprocess_id = w.run JOIN v_quantities q ON q.id = t.quantity_id
  ORDER BY w.run, array_position(w.names, q.name), q.name),
means AS (
  SELECT s.run, s.name, s.unit, min(d.timestamp) AS at, avg(d.value) AS value
  FROM series s JOIN v_timeseries_data d ON d.id = s.id
  GROUP BY s.run, s.name, s.unit, floor(extract(epoch FROM d.timestamp - s.start) / s.step))
SELECT run, name, unit, json_agg(json_build_array(extract(epoch FROM at)::bigint, round(value::numeric, 4)) ORDER BY at) AS points
FROM means GROUP BY run, name, unit`,
    signal,
  )
  return new Map(
    told.map(({ id, note, quantities }) => {
      const [, quantity, unit, given] = curves.find(([run]) => run === id) ?? []
      if (!Array.isArray(given)) return [id, { note, quantities }]
      const points = (given as (readonly [unknown, unknown])[]).map(
        ([at, value]) => [1000 * Number(at), value === null ? null : Number(value)] as const,
      )
      const curve = { quantity: String(quantity), unit: String(unit ?? ''), points }
      return [id, { note, quantities: [...new Set([curve.quantity, ...quantities.slice(0, 2)])], curve }]
    }),
  )
}

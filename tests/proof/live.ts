import { contract, views, type ViewDefinition, type ViewName } from '../../schemas/index.ts'
import { onStatement, type Mutant } from './mutant.ts'

const { column: updated } = contract.delta
/** A changing row changes once in this many statements. */
const PERIOD = 60

const viewOf = (column: string) => column.split('.')[0] as ViewName
/** How many references lead on from a view, one after the other. */
const depthOf = (name: ViewName): number =>
  Math.max(
    0,
    ...[...contract.relations, contract.parent]
      .filter(({ from }) => viewOf(from) === name)
      .map(({ to }) => 1 + depthOf(viewOf(to))),
  )
/** The views with last_updated_at, in an order in which every reference points to an earlier view. */
const ORDER = views
  .filter(({ columns }) => columns.some(({ name }) => name === updated))
  .map(({ name }) => name)
  .toSorted((one, other) => depthOf(one) - depthOf(other))

export interface Writers {
  /** Chooses the changing rows and their times. */
  seed: number
  /** Whether rows also vanish without a newer `last_updated_at`; `only`: other changes do not occur. */
  vanish?: boolean | 'only'
  /** Every second statement reads a copy that is this many statements behind. Rows are written during the run, and none appears. */
  behind?: number
}

/**
 * A target with concurrent writers: rows appear, change and vanish between statements. Each statement sees one state, and
 * references never dangle. Common table expressions with the names of the views return their rows at the n-th statement,
 * so the target must accept these.
 */
export const live =
  (writers: Writers): Mutant['wrap'] =>
  (fetch) => {
    let now = 0
    const begun = writers.behind === undefined ? '2026-01-01T00:00:00Z' : new Date().toISOString()
    return onStatement((sql) => {
      const [, own] = /^\s*(select|with)\b/i.exec(sql) ?? []
      if (!own || !ORDER.some((name) => sql.toLowerCase().includes(name))) return sql
      now++
      const seen = now - (now % 2 === 0 ? (writers.behind ?? 0) : 0)
      const asOf = ORDER.map((name) => `${name} AS (${rowsAt(view(name), seen, begun, writers)})`).join(', ')
      return /with/i.test(own) ? sql.replace(/with\b/i, () => `WITH ${asOf},`) : `WITH ${asOf} ${sql}`
    })(fetch)
  }

const view = (name: ViewName): ViewDefinition => views.find((view) => view.name === name)!

/** The SQL for the rows of a view at the n-th statement. A third of them never changes. */
function rowsAt(
  { name, columns }: ViewDefinition,
  now: number,
  begun: string,
  { seed, vanish, behind }: Writers,
): string {
  const byte = (n: number) => `get_byte(decode(md5(id || '${seed}'), 'hex'), ${n})`
  const turn = `(${byte(0)} % ${PERIOD})`
  const last = `(${now} - (${now} - ${turn}) % ${PERIOD})`
  const third = (rest: number) =>
    vanish === 'only' || (rest === 1 && behind !== undefined) ? 'false' : `${byte(1)} % 3 = ${rest}`
  const changes = `(${third(0)} AND ${turn} <= ${now})`
  const appears = `(${third(1)})`
  const written = `(timestamptz '${begun}' + ${last} * interval '1 second')`
  const first = `(timestamptz '${begun}' + ${turn} * interval '1 second')`
  const shown = columns
    .filter(({ optional }) => !optional)
    .map((column) => {
      if (column.name === updated)
        return `CASE WHEN ${changes} THEN ${written} WHEN ${appears} THEN ${first} ELSE ${updated} END AS ${updated}`
      if (column.name === 'name')
        return `CASE WHEN ${changes} THEN name || ' at ' || ${last} ELSE name END AS name`
      return column.name
    })
  const where = [
    `NOT (${appears} AND ${turn} > ${now})`,
    ...(vanish ? [`NOT (${byte(2)} % 8 = 0 AND ${turn} < ${now})`] : []),
    ...contract.relations
      .filter(({ from }) => from.startsWith(`${name}.`))
      .map(({ from, to }) => `${from.split('.')[1]} IN (SELECT id FROM ${to.split('.')[0]})`),
    ...(name === 'v_bioprocesses'
      ? ['(parent_id IS NULL OR parent_id IN (SELECT id FROM v_experiments))']
      : []),
  ]
  return `SELECT ${shown.join(', ')} FROM ${name} WHERE ${where.join(' AND ')}`
}

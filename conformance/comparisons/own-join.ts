import { canonical, show, type Json, type JsonObject } from '../connection/values/json.ts'

/** The joined rows of a bioprocess_id as texts; undefined for a run that the client has not read. */
export type OwnJoin = (id: Json) => string[] | undefined

/** Joins in the client. `allKnown`: whether `runs` has all rows of v_bioprocesses. */
export function ownJoin(runs: readonly JsonObject[], allKnown: boolean): OwnJoin {
  const partners = new Map<string, string[]>()
  for (const run of runs) {
    const key = canonical(run['id'] ?? null)
    const row = joined({ bioprocess_id: run['id'] ?? null }, run)
    const known = partners.get(key)
    if (known) known.push(row)
    else partners.set(key, [row])
  }
  return (id) =>
    partners.get(canonical(id)) ?? (allKnown || id === null ? [joined({ bioprocess_id: id }, {})] : undefined)
}

/** A joined row as text: the key, then the columns of the bioprocess. */
export const joined = (series: JsonObject, run: JsonObject): string =>
  canonical([series['bioprocess_id'] ?? null, run['id'] ?? null, run['name'] ?? null])

/**
 * Tells the bioprocesses whose rows two readings show alike.
 *
 * @param column names the bioprocess in these rows
 */
export function unchangedIds(
  before: readonly JsonObject[],
  after: readonly JsonObject[],
  column: 'id' | 'bioprocess_id',
): (id: Json) => boolean {
  const [one, other] = [before, after].map((rows) => {
    const texts = new Map<string, string[]>()
    for (const row of rows) {
      const id = canonical(row[column] ?? null)
      const known = texts.get(id)
      if (known) known.push(canonical(row))
      else texts.set(id, [canonical(row)])
    }
    return (id: string) => texts.get(id)?.sort().join('\n')
  })
  return (id) => one!(canonical(id)) === other!(canonical(id))
}

export interface Miscount {
  /** The counted thing. */
  of: string
  expected: number
  found: number
}

/**
 * The first bioprocess_id with a different number of rows than in the join of the client.
 *
 * @param complete whether `join` has all rows; else only a number that is too high counts
 */
export function miscounted(
  series: readonly JsonObject[],
  join: readonly JsonObject[],
  own: OwnJoin,
  complete: boolean,
): Miscount | undefined {
  const found = occurrences(join)
  for (const [key, { id, count }] of occurrences(series)) {
    const partners = own(id)?.length
    const expected = count * (partners ?? 1)
    const seen = found.get(key)?.count ?? 0
    if ((complete && seen < expected) || (partners !== undefined && seen > expected))
      return { of: `bioprocess_id ${show(id)}`, expected, found: seen }
  }
  return undefined
}

/** A complete LEFT JOIN has at least as many rows as its LIMIT, because it keeps all left rows. */
export function tooFew(series: readonly JsonObject[], join: readonly JsonObject[]): Miscount | undefined {
  if (join.length >= series.length) return undefined
  return { of: `LIMIT ${series.length}`, expected: series.length, found: join.length }
}

function occurrences(rows: readonly JsonObject[]): Map<string, { id: Json; count: number }> {
  const counts = new Map<string, { id: Json; count: number }>()
  for (const row of rows) {
    const id = row['bioprocess_id'] ?? null
    counts.set(canonical(id), { id, count: (counts.get(canonical(id))?.count ?? 0) + 1 })
  }
  return counts
}

import { contract, type ViewName } from '../../schemas/index.ts'
import { fail, inconclusive, type Finding } from './check.ts'
import { instantOf } from '../connection/instant.ts'
import { canonical, show, type JsonObject } from '../connection/json.ts'
import { isWhole, type Selection, type Target } from '../connection/target.ts'
import { steadyRows, whereMoved } from './findings/concurrent-change.ts'
import { newest, oldest, updatedAt, updatesOf } from '../connection/updates.ts'

const { column } = contract.delta
/** As many rows of a delta as are fetched: below the thousand at which services are known to cut. */
const MOST = 900
const HOUR = 3_600_000_000_000n
const DAY = 24n * HOUR
/** The zone of a date is not shown: up to 14 hours, and 12 for timestamps that are printed without theirs. */
export const MARGIN = 26n * HOUR

/** A bound of a delta, and what the client knows of it. */
export interface Bound {
  /** What stands behind the `>`. */
  sql: string
  /** Rows printed after this instant have to be in the delta. */
  newer: bigint
  /** Rows printed before this instant have no place in it. */
  older: bigint
  /** The rows that the bound was taken from, where writes could move it. */
  from?: Selection
}

/** A delta that holds what it has to hold, as far as could be told. */
export interface Judged {
  /** Rows known to the client that are in the delta or left out as they have to be; 0 where it was too long. */
  rows: number
  /** Rows of the delta that are newer than the bound for certain. */
  newer: number
  delta: Selection
}

/** Rows of a view with id and last update: all of them where the view is small enough. */
export async function baseRows(t: Target, name: ViewName): Promise<Selection & { whole: boolean }> {
  const whole = await t.whole(name, ['id', column])
  return whole ? { ...whole, whole: true } : { ...(await t.sample(name)), whole: false }
}

/**
 * What is newer than a bound, cut where it is too long: not `complete` then, nor where its round number of rows
 * looks like a cap (NS-36).
 *
 * @throws NotExercised when the delta is refused.
 */
export async function readDelta(
  t: Target,
  name: ViewName,
  bound: string,
): Promise<Selection & { complete: boolean }> {
  const sql = `SELECT id, ${column} FROM ${name} WHERE ${column} > ${bound} LIMIT ${t.rows(MOST)}`
  const delta = await t.selectOnce(sql, ['id', column])
  return { ...delta, complete: isWhole(delta) }
}

/**
 * Holds a delta against rows that were read before. Every row of it must not be older than the bound, and of
 * the rows that are newer none may be missing. Rows that changed meanwhile make it inconclusive.
 *
 * @throws NotExercised when the delta is refused.
 */
export async function judgeDelta(
  t: Target,
  name: ViewName,
  base: Selection & { whole: boolean },
  bound: Bound,
): Promise<Finding | Judged> {
  const delta = await readDelta(t, name, bound.sql)
  const isNewer = (row: JsonObject) => (updatedAt(row) ?? bound.newer) > bound.newer
  const isOlder = (row: JsonObject) => (updatedAt(row) ?? bound.older) < bound.older
  const complete = base.whole || delta.complete
  const stale = delta.rows.filter(isOlder)
  const expected = base.rows.filter(isNewer)
  const missing = complete ? expected.filter(notIn(delta)) : []
  const judged = { newer: delta.rows.filter(isNewer).length, delta }
  const rows = complete ? expected.length + base.rows.filter(isOlder).length - missing.length : 0
  if (stale.length === 0 && missing.length === 0) return { ...judged, rows }
  // Another check may have read the delta first: what was written between is told by the same delta now.
  const again = (await t.readAgain(delta)) ?? delta
  const moved = await whereMoved(t, 'compared', bound.from)
  if (moved) return moved
  // Rows that were written meanwhile excuse nothing but themselves.
  const steady = stale.length === 0 ? await steadyRows(t, 'compared', base) : undefined
  if (steady?.moved && steady.unseen) return steady.moved
  const lost = steady ? missing.filter((row) => steady.rows.includes(row)) : []
  if (steady && lost.length === 0) return { ...judged, rows }
  const wrong = steady ? lost.filter(notIn(again)) : again.rows.filter(isOlder)
  if (!wrong[0])
    return inconclusive(`rows of ${name} changed while they were compared`, {
      moved: true,
      exchanges: [delta.reply.exchange, again.reply.exchange],
    })
  const [verb, rest] = steady ? ['lacks', 'newer'] : ['holds', 'older']
  return fail({
    message: `the delta of ${name} above ${bound.sql} ${verb} ${wrong.length} ${wrong.length === 1 ? 'row' : 'rows'} ${rest} than that`,
    expected: `${steady ? 'every row newer' : 'no row older'} than ${bound.sql}`,
    actual: `${verb} ${show(wrong[0]['id'])}, updated ${show(wrong[0][column])}`,
    exchanges: [base.reply.exchange, again.reply.exchange],
  })
}

/** Tells the rows whose id a selection does not show. */
function notIn({ rows }: Selection): (row: JsonObject) => boolean {
  const found = new Set(rows.map(({ id }) => canonical(id ?? null)))
  return ({ id }) => !found.has(canonical(id ?? null))
}

/**
 * The date (`YYYY-MM-DD`) with the most instants on its poorer side, those within `margin` nanoseconds of its
 * midnight left out; undefined where no date has instants on both sides.
 */
export function splittingDate(instants: readonly bigint[], margin: bigint): string | undefined {
  let best = { poorer: 0, midnight: 0n }
  for (const instant of instants) {
    const midnight = ((instant + margin) / DAY + 1n) * DAY
    const before = instants.filter((other) => other < midnight - margin).length
    const after = instants.filter((other) => other > midnight + margin).length
    if (Math.min(before, after) > best.poorer) best = { poorer: Math.min(before, after), midnight }
  }
  if (best.poorer === 0) return undefined
  return dateOf(best.midnight)
}

/** The UTC day of an instant, `YYYY-MM-DD`. */
export const dateOf = (instant: bigint): string =>
  new Date(Number(instant / 1_000_000n)).toISOString().slice(0, 10)

/** The delta of a view since a date that parts the rows known of it; undefined where no date does. */
export async function sinceDate(t: Target, name: ViewName): Promise<Finding | Judged | undefined> {
  const base = await baseRows(t, name)
  const date = splittingDate(updatesOf(base.rows), MARGIN)
  return date === undefined ? undefined : judgeDelta(t, name, base, await since(t, date))
}

/**
 * The deltas of a view since a date before its oldest row, which holds them all, and since one after its newest, which
 * holds none; undefined where its rows can not all be read.
 */
export async function sinceOuterDates(t: Target, name: ViewName): Promise<Finding | Judged | undefined> {
  const base = await baseRows(t, name)
  const instants = updatesOf(base.rows)
  if (!base.whole || instants.length < 2) return undefined
  const early = await since(t, dateOf(oldest(instants)! - MARGIN - DAY))
  const all = await judgeDelta(t, name, base, early)
  if ('outcome' in all) return all
  const late = await since(t, dateOf(newest(instants)! + MARGIN + DAY))
  const none = await judgeDelta(t, name, base, late)
  return 'outcome' in none ? none : { ...none, rows: all.rows + none.rows }
}

async function since(t: Target, date: string): Promise<Bound> {
  const midnight = instantOf(date)!
  return { sql: await t.dateLiteral(date), newer: midnight + MARGIN, older: midnight - MARGIN }
}

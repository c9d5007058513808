import { contract, type ViewName } from '../../schemas/index.ts'
import { LONG_AGO } from '../connection/values/date-literal.ts'
import { canonical, type Json } from '../connection/values/json.ts'
import { ifReadable, unlessRefused } from '../connection/not-exercised.ts'
import type { Reply } from '../connection/http/reply.ts'
import { pick, type Selection, type Target } from '../connection/target.ts'
import { joinSpelling } from './join.ts'

/** Views with fewer rows are read whole. Below the row cap of 1000 that some services have. */
const WHOLE = 900
/** The LIMIT of large joins and deltas. */
export const MANY = 1001
/** No service is known to end responses below this size, in bytes. */
const LEAST_BYTES = 1024

/** Rows of at least this part of the width of others are as wide; shorter rows, in bytes, are all narrow. */
const SIMILAR = 0.9
const NARROW = 256

/** The LIMIT of {@link LONG}. Some services have a cap of 1000 or 2000 rows. */
export const LONG_LIMIT = 2500
/** A statement with many short rows. */
export const LONG = `SELECT id, timestamp, value FROM v_timeseries_data LIMIT ${LONG_LIMIT}`

/** The sizes of responses of a target: a cap on responses is not smaller. */
interface Largest {
  /** The number of rows of each, and their average size: a cap may be smaller for wide rows. */
  sizes: { rows: number; width: number }[]
  /** Of the largest one, without the last row, which may lie across a cap. */
  bytes: number
}

/** The size of the largest of some responses, which are lists of rows. */
export function largestOf(responses: readonly Json[][]): Largest {
  return {
    sizes: responses.map((rows) => ({ rows: rows.length, width: widthOf(rows) })),
    bytes: Math.max(0, ...responses.map((rows) => bytesOf(rows) - canonical(rows.at(-1) ?? null).length)),
  }
}

/** The largest responses to some statements that every run sends. Read once, also for retries. */
const largest = ({ origin: t }: Target): Promise<Largest> =>
  t.once('largest responses', async () => {
    const replies = [await ifReadable(t.shared(LONG))]
    for (const name of contract.views)
      replies.push(await ifReadable(t.anyRow(name)), (await ifReadable(t.sample(name)))?.reply)
    return largestOf(replies.flatMap((reply) => (reply ? [reply.data] : [])))
  })

/** The size of the largest response of a run from which another one is far from every cap, in bytes. */
const FAR_BYTES = 64 * 1024
/** The largest part of it that such a response has: what is left is more than a row. */
const FAR_SHARE = 1 / 2

/** Whether no cap on bytes ended a response, even if its next row is wide; nor one on the rows of its form. */
export async function isFarBelowCap(t: Target, { sql, reply: { data } }: Answered): Promise<boolean> {
  const { bytes } = await largest(t)
  if (data.length === 0) return true
  return bytes >= FAR_BYTES && bytesOf(data) <= bytes * FAR_SHARE && data.length < (await rowsOfForm(t, sql))
}

const known = new WeakMap<Json[], number>()

function bytesOf(rows: Json[]): number {
  const bytes = known.get(rows) ?? canonical(rows).length
  known.set(rows, bytes)
  return bytes
}

const widthOf = (rows: Json[]): number => bytesOf(rows) / Math.max(1, rows.length)

/** A statement with its response. */
interface Answered {
  sql: string
  reply: Pick<Reply, 'data'>
}

/**
 * Whether a response has all rows of its statement: they do not reach its LIMIT, and the target has sent more rows that are
 * as wide, and twice as many bytes, in other responses. Otherwise a cap on responses, which the contract leaves open (rows.max), may have
 * ended it, so a missing row proves nothing.
 */
export function isCompleteBeside({ sql, reply: { data } }: Answered, { sizes, bytes }: Largest): boolean {
  const limit = Number(/ LIMIT (\d+)$/.exec(sql)?.[1] ?? Infinity)
  if (data.length === 0 || data.length >= limit) return data.length < limit
  const least = widthOf(data) < NARROW ? 0 : widthOf(data) * SIMILAR
  const isLess = sizes.some(({ rows, width }) => data.length < rows && width >= least)
  return isLess && bytesOf(data) <= Math.max(bytes / 2, LEAST_BYTES)
}

/**
 * The size of the largest responses to statements without LIMIT, which may have a smaller cap: a default LIMIT. Reads the
 * views that are known to be small.
 */
const largestWithoutLimit = ({ origin: t }: Target): Promise<Largest> =>
  t.once('largest responses without LIMIT', async () => {
    const replies: (Reply | undefined)[] = []
    for (const name of contract.delta.views) {
      const all = await ifReadable(whole(t, name, ['id', contract.delta.column]))
      if (all && all.rows.length > 1) replies.push(await ifReadable(t.shared(`SELECT * FROM ${name}`)))
    }
    return largestOf(replies.flatMap((reply) => (reply ? [reply.data] : [])))
  })

/**
 * The number of rows of a large response to a statement of the same form, a join or a delta: a target may cap these
 * differently. Infinity for other statements.
 */
async function rowsOfForm({ origin: t }: Target, sql: string): Promise<number> {
  const joins = /\bJOIN\b/i.test(sql) ? await mostRows(t, isLimited(sql), largeJoins) : Infinity
  const deltas = /\bWHERE\b/i.test(sql) ? await mostRows(t, isLimited(sql), largeDelta) : Infinity
  return Math.min(joins, deltas)
}

/** The number of rows of the largest response to some statements, sent once. */
function mostRows(
  t: Target,
  limited: boolean,
  statements: (t: Target, limited: boolean) => Promise<Large[]>,
): Promise<number> {
  return t.once(`rows of ${statements.name} with LIMIT ${limited}`, async () => {
    let most = 0
    for (const { sql, rows } of await statements(t, limited)) {
      if (most >= MANY) break
      const reply = await ifReadable(t.shared(limited ? `${sql} LIMIT ${t.rows(MANY)}` : sql))
      const found = reply?.ok ? reply.data.length : 0
      // A response with all its rows has met no cap.
      most = Math.max(most, found === rows ? found + 1 : found)
    }
    return most
  })
}

/** A statement with many rows, and their number if it is known. */
interface Large {
  sql: string
  rows?: number
}

/** Joins with many rows; without LIMIT, of small views. */
async function largeJoins(t: Target, limited: boolean): Promise<Large[]> {
  const { as } = await joinSpelling(t)
  // As in the check of this reference, so that the statement is sent once.
  const points = `SELECT l.id, r.bioprocess_id FROM v_timeseries_data${as}l LEFT JOIN v_timeseries${as}r ON l.id = r.id`
  const series = `SELECT l.name, r.start_timestamp FROM v_quantities${as}l LEFT JOIN v_timeseries${as}r ON l.id = r.quantity_id`
  const rows = await size(t, 'v_timeseries')
  const isSmall = rows !== undefined && rows < Infinity
  return [...(limited ? [points] : []), ...(limited || isSmall ? [series] : [])].map((sql) => ({ sql }))
}

/** The delta of the largest view; without LIMIT, of the largest small one. */
async function largeDelta(t: Target, limited: boolean): Promise<Large[]> {
  const sizes: [ViewName, number][] = []
  for (const name of contract.delta.views) {
    const rows = await size(t, name)
    if (rows !== undefined) sizes.push([name, rows])
  }
  const [[largest, rows] = []] = sizes
    .filter(([, count]) => limited || count < Infinity)
    .toSorted(([, one], [, other]) => (one === other ? 0 : other - one))
  if (!largest) return []
  const sql = `SELECT id FROM ${largest} WHERE ${contract.delta.column} > ${await t.dateLiteral(LONG_AGO)}`
  return [{ sql, rows }]
}

/** The number of rows of a view with deltas: Infinity if it cannot be read whole, undefined if it cannot be read. */
const size = (t: Target, name: ViewName): Promise<number | undefined> =>
  ifReadable(whole(t, name, ['id', contract.delta.column]).then((all) => all?.rows.length ?? Infinity))

const isLimited = (sql: string): boolean => /\bLIMIT\s+\d/i.test(sql)

/**
 * {@link isCompleteBeside} the largest responses of the target to statements with LIMIT, or to those without, and shorter than
 * a large one of its form.
 */
export async function isComplete(t: Target, answered: Answered): Promise<boolean> {
  const { sql, reply } = answered
  // A target that refuses LIMIT sends all its responses without it.
  const isOrdinary = isLimited(sql) || (await t.servedWithoutLimit()) !== undefined
  if (!isCompleteBeside(answered, await (isOrdinary ? largest(t) : largestWithoutLimit(t)))) return false
  return reply.data.length === 0 || reply.data.length < (await rowsOfForm(t, sql))
}

/** All rows of a view with the given columns; undefined if it has too many, or if a cap may have ended the response. */
export async function whole(
  t: Target,
  name: ViewName,
  columns: readonly string[],
): Promise<Selection | undefined> {
  // A retry reads only the columns it needs, because fewer rows change between two fast readings.
  const sample = t.origin === t ? await t.sample(name) : undefined
  const hasColumns = sample && columns.every((column) => sample.columns.includes(column))
  const only = (all: Selection) => ({ ...all, rows: all.rows.map((row) => pick(row, columns)) })
  if (hasColumns && (await isComplete(t, sample))) return only(sample)
  // If the longest statement of the run returned more points, this one cannot return all of them.
  if (name === 'v_timeseries_data' && ((await ifReadable(t.shared(LONG)))?.data.length ?? 0) > WHOLE)
    return undefined
  const sql = `SELECT ${columns.join(', ')} FROM ${name}${await t.limit(name, WHOLE)}`
  const selection = await t.selectOnce(sql, columns)
  if (await isComplete(t, selection)) return only(selection)
  return (await hasEveryId(t, name, selection)) ? only(selection) : undefined
}

/** Whether rows are complete because they have every id of a complete, narrower response. */
async function hasEveryId(t: Target, name: ViewName, { rows, columns }: Selection): Promise<boolean> {
  // The columns that deltas are compared with, so that the statement is sent once.
  const narrow = ['id', contract.delta.column]
  if (
    rows.length >= t.rows(WHOLE) ||
    columns.length <= 2 ||
    !narrow.every((column) => columns.includes(column))
  )
    return false
  const ids = await unlessRefused(whole(t, name, narrow))
  const found = new Set(rows.map(({ id }) => canonical(id ?? null)))
  return ids?.rows.every(({ id }) => found.has(canonical(id ?? null))) ?? false
}

import { contract, type ViewName } from '../../../schemas/index.ts'
import { answerOf, rowsIn, type ViewRows } from '../../answers/answers.ts'
import { keyedRows } from '../../answers/keyed-rows.ts'
import { anyMoment } from '../../answers/moving.ts'
import { marginOf } from '../../comparisons/splitting-date.ts'
import { ifReadable } from '../../connection/not-exercised.ts'
import type { Reply } from '../../connection/http/reply.ts'
import { isFarBelowCap } from '../../samples/whole.ts'
import type { Target } from '../../connection/target.ts'
import { DAY, midnightOf } from '../../connection/values/instant.ts'
import { updatedAt, updatesOf } from '../../connection/values/updates.ts'
import { freeDates } from '../../search/statements/values.ts'

/** An answer over one view without WHERE. */
export interface Read {
  sql: string
  limit: number
  reply: Reply
}

/** A row that is missing although it was asked for with fewer others. */
export interface Lost {
  view: ViewName
  /** The answer that lacks it too, which a cap may have ended. */
  read: Read
  sql: string
  key: string
  /** One that shows the row, and one that does not. */
  replies: Reply[]
}

const { column } = contract.delta
/** How often the row has to be missing, between two answers that show it. */
const ROUNDS = 3

/** The last update of each row of an answer, by its key. */
const updatesByKey = (rows: ViewRows): Map<string, bigint | undefined> =>
  new Map(keyedRows(rows).map(({ key, row }) => [key, updatedAt(row)]))

const ownRows = (reply: Reply): ViewRows | undefined => answerOf(reply.exchange).rows[0]

/**
 * Asks for the rows that an answer lacks, with the same columns and fewer others: a delta since just before them, with fewer rows than
 * the answer. A row that is missing there too is lost, since no cap explains it.
 */
export async function lostAlone(t: Target, view: ViewName, read: Read): Promise<Lost | undefined> {
  const [shown] = [ownRows(read.reply)].flatMap((rows) => (rows ? [updatesByKey(rows)] : []))
  const [widest] = [...rowsIn(t, view)]
    .filter(
      ({ joined, columns, answer }) => !joined && !answer.statement!.filtered && columns.includes(column),
    )
    .toSorted((one, other) => other.rows.length - one.rows.length)
  if (!shown || !widest || !(contract.delta.views as readonly ViewName[]).includes(view)) return undefined
  const [updates, margin] = [updatesByKey(widest), marginOf(widest.rows)]
  const newer = (least: bigint) => [...updates].filter(([, at]) => at !== undefined && at > least)
  const all = freeDates(updatesOf(widest.rows), margin, await t.dateSpelling())
  for (const { date, sql: literal } of all.toReversed()) {
    const midnight = midnightOf(date)
    if (newer(midnight - margin).length >= shown.size) return undefined
    const missing = newer(midnight + DAY + margin).find(([key]) => !shown.has(key))
    if (!missing) continue
    const sql = `${read.sql.replace(/ LIMIT \d+$/i, '')} WHERE ${column} > ${literal}`
    return provenLost(t, { view, read, sql, key: missing[0], replies: [] }, widest.answer.sql!, missing[1])
  }
  return undefined
}

/** The row as lost if it is missing each time, between answers that show it unchanged. */
async function provenLost(t: Target, lost: Lost, wide: string, at?: bigint): Promise<Lost | undefined> {
  const { sql, key } = lost
  let replies: Reply[] = []
  for (let n = 0; n < ROUNDS; n++) {
    const reply = await ifReadable(n === 0 ? t.shared(sql) : t.query(sql))
    const rows = reply?.ok
      ? (ownRows(reply) ?? { rows: [], view: lost.view, columns: [], joined: false })
      : undefined
    if (!reply || !rows || updatesByKey(rows).has(key)) return undefined
    if (reply.data.length > rows.rows.length || !(await isFarBelowCap(t, { sql, reply }))) return undefined
    await anyMoment(t)
    const after = await ifReadable(t.query(wide))
    const rowsAfter = after?.ok ? ownRows(after) : undefined
    if (!after || !rowsAfter || updatesByKey(rowsAfter).get(key) !== at) return undefined
    replies = [after, reply]
  }
  return { ...lost, replies }
}

import { contract, type ViewName } from '../../../schemas/index.ts'
import { answersOf, rowsIn } from '../../answers/answers.ts'
import { askDocumentedForms } from '../../answers/ask.ts'
import type { Exchange } from '../../connection/http/exchange.ts'
import type { JsonObject } from '../../connection/values/json.ts'
import type { Reply } from '../../connection/reply.ts'
import { isComplete } from '../../connection/samples/whole.ts'
import type { Target } from '../../connection/target.ts'
import { newest, updatesOf } from '../../connection/values/updates.ts'
import { check, compared, fail, type Finding } from '../check.ts'

/** An answer over one view without WHERE. */
interface Read {
  sql: string
  limit: number
  reply: Reply
}

/** An answer that lacked rows, and got them when it was repeated. */
interface Unsteady {
  note: string
  exchanges: Exchange[]
}

/** Maximum number of answers over a view that are repeated: while rows are added, all earlier answers are shorter. */
const MOST_REPEATED = 3

/** Every answer of the run over a view without WHERE, with at most as many rows as its LIMIT. */
const readsOf = (t: Target, name: ViewName): Read[] =>
  answersOf(t).flatMap(({ statement, sql = '', reply }) => {
    if (!statement || !reply.ok || statement.filtered || statement.sources.size > 1) return []
    const { sources, limit = Infinity } = statement
    const [view] = sources.values()
    return view === name && reply.data.length <= limit ? [{ sql, limit, reply }] : []
  })

/** How often a short answer has to be between two longer ones: rows may be removed and added in between. */
const ROUNDS = 3

/** An answer that is shorter than its LIMIT and than another one. */
interface Short {
  sql: string
  limit: number
  whole: Reply
  short: Reply
}

/**
 * Repeats a short answer between two of the largest. @returns the last ones, if it is shorter than its LIMIT and both each
 * time; otherwise rows came or went
 *
 * @param read the statement of each round
 */
async function shownShort(
  t: Target,
  largest: string,
  read: (round: number) => Pick<Read, 'sql' | 'limit'>,
): Promise<Short | undefined> {
  let last: Short | undefined
  let whole = await t.query(largest)
  for (let round = 0; round < ROUNDS; round++) {
    const { sql, limit } = read(round)
    const short = await t.query(sql)
    const after = await t.query(largest)
    if (!whole.ok || !short.ok || !after.ok) return undefined
    if (short.data.length >= Math.min(limit, whole.data.length, after.data.length)) return undefined
    last = { sql, limit, whole, short }
    whole = after
  }
  return last
}

/**
 * Repeats a short answer, and then asks for other numbers of rows: a service may send too few rows only when it gets a statement for
 * the first time.
 */
async function shownAgain(
  t: Target,
  largest: string,
  { sql, limit, reply }: Read,
): Promise<Short | undefined> {
  const again = await shownShort(t, largest, () => ({ sql, limit }))
  if (again || limit === Infinity || limit - ROUNDS <= reply.data.length) return again
  return shownShort(t, largest, (round) => {
    const less = limit - 1 - round
    return { sql: sql.replace(/\d+$/, String(less)), limit: less }
  })
}

/**
 * A later answer with more rows than a short one that are as old as the rows it shows: they were there before, as far as
 * `last_updated_at` says.
 */
function laterWith(t: Target, name: ViewName, reply: Reply): Reply | undefined {
  const all = [...rowsIn(t, name)].filter(({ joined }) => !joined)
  const at = all.findIndex(({ answer }) => answer.reply === reply)
  const known = newest(all.slice(0, at + 1).flatMap(({ rows }) => updatesOf(rows)))
  if (known === undefined) return undefined
  const older = (rows: readonly JsonObject[]) => updatesOf(rows).filter((update) => update <= known).length
  const later = all.slice(at + 1).filter(({ answer: { statement } }) => !statement!.filtered)
  return later.find(({ rows }) => older(rows) > reply.data.length)?.answer.reply
}

/**
 * Compares the numbers of rows of all answers over a view: the columns of a statement do not change it. Fails for an answer
 * with fewer rows than its LIMIT and than another answer, if no cap on responses explains it and a repetition shows it again. If
 * none does, although the rows have not changed, `unsteady` has both exchanges.
 */
async function sizesOf(
  t: Target,
  name: ViewName,
): Promise<Finding | { count: number; unsteady: Unsteady[] }> {
  const reads = readsOf(t, name)
  const largest = reads.reduce<Read | undefined>(
    (best, one) => (best && best.reply.data.length >= one.reply.data.length ? best : one),
    undefined,
  )
  const size = largest?.reply.data.length ?? 0
  const unsteady: Unsteady[] = []
  if (!largest || size < 2) return { count: 0, unsteady }
  const isShort = ({ data }: Reply, limit: number) => data.length < Math.min(limit, size)
  let repeated = 0
  for (const read of reads) {
    const { sql, limit, reply } = read
    if (repeated >= MOST_REPEATED) break
    if (!isShort(reply, limit) || !(await isComplete(t, { sql, reply }))) continue
    repeated++
    const again = await shownAgain(t, largest.sql, read)
    if (again)
      return fail({
        message: `\`${again.sql}\` returns ${again.short.data.length} rows, although ${name} has at least ${again.whole.data.length}`,
        expected: `${Math.min(again.limit, again.whole.data.length)} rows, as many as \`${largest.sql}\` returns`,
        actual: `${again.short.data.length} rows`,
        exchanges: [again.whole.exchange, again.short.exchange],
      })
    const later = laterWith(t, name, reply)
    if (later)
      unsteady.push({
        note: `\`${sql}\` once returned ${reply.data.length} rows, although another answer has more rows of ${name} that are not newer.`,
        exchanges: [later.exchange, reply.exchange],
      })
  }
  return { count: reads.length < 2 ? 0 : reads.length, unsteady }
}

async function sameSizes(t: Target): Promise<Finding> {
  await askDocumentedForms(t)
  let count = 0
  const unsteady: Unsteady[] = []
  for (const name of contract.views) {
    const found = await sizesOf(t, name)
    if ('outcome' in found) return found
    count += found.count
    unsteady.push(...found.unsteady)
  }
  const sentence = 'each has all rows of its view or as many as LIMIT says'
  if (unsteady.length === 0) return compared(count, 'reply', sentence)
  return compared(count, 'reply', `${sentence}, but for ${unsteady.length} that had more when repeated`, {
    notes: unsteady.map(({ note }) => note),
    exchanges: unsteady.flatMap(({ exchanges }) => exchanges),
  })
}

/** The check of the numbers of rows in all answers over single views. */
export const allRowsCheck = check({
  id: 'sql.all-rows',
  requirement: 'REQ-SQL-3',
  title: 'return all rows of a view up to LIMIT, whichever columns are named, in every answer',
  killedBy: [
    'equal-rows-merged',
    'rows-without-first-value-lost',
    'one-column-merged',
    'first-answer-halved',
  ],
  phase: 'answers',
  run: sameSizes,
})

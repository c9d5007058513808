import { contract, type ViewName } from '../../schemas/index.ts'
import { answersOf } from '../answers/answers.ts'
import { askDocumentedForms } from '../answers/ask.ts'
import type { Reply } from '../connection/reply.ts'
import { isComplete } from '../connection/samples/whole.ts'
import type { Target } from '../connection/target.ts'
import { check, compared, fail, type Check, type Finding } from './check.ts'

/** An answer over one view without WHERE. */
interface Read {
  sql: string
  limit: number
  reply: Reply
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

/**
 * Repeats a short answer between two of the largest. @returns the last ones, if it is shorter than its LIMIT and both each
 * time; otherwise rows came or went
 */
async function shownShort(
  t: Target,
  largest: string,
  { sql, limit }: Pick<Read, 'sql' | 'limit'>,
): Promise<{ whole: Reply; short: Reply } | undefined> {
  let whole = await t.query(largest)
  let short = whole
  for (let round = 0; round < ROUNDS; round++) {
    short = await t.query(sql)
    const after = await t.query(largest)
    if (!whole.ok || !short.ok || !after.ok) return undefined
    if (short.data.length >= Math.min(limit, whole.data.length, after.data.length)) return undefined
    whole = after
  }
  return { whole, short }
}

/**
 * Compares the numbers of rows of all answers over a view: the columns of a statement do not change it. Fails for an answer
 * with fewer rows than its LIMIT and than another answer, if no cap on responses explains it and a repetition shows it again.
 */
async function sizesOf(t: Target, name: ViewName): Promise<Finding | number> {
  const reads = readsOf(t, name)
  const largest = reads.reduce<Read | undefined>(
    (best, one) => (best && best.reply.data.length >= one.reply.data.length ? best : one),
    undefined,
  )
  const size = largest?.reply.data.length ?? 0
  if (!largest || size < 2) return 0
  const isShort = ({ data }: Reply, limit: number) => data.length < Math.min(limit, size)
  let repeated = 0
  for (const { sql, limit, reply } of reads) {
    if (repeated >= MOST_REPEATED) break
    if (!isShort(reply, limit) || !(await isComplete(t, { sql, reply }))) continue
    repeated++
    const again = await shownShort(t, largest.sql, { sql, limit })
    if (!again) continue
    return fail({
      message: `\`${sql}\` returns ${again.short.data.length} rows, although ${name} has at least ${again.whole.data.length}`,
      expected: `${Math.min(limit, again.whole.data.length)} rows, as many as \`${largest.sql}\` returns`,
      actual: `${again.short.data.length} rows`,
      exchanges: [again.whole.exchange, again.short.exchange],
    })
  }
  return reads.length < 2 ? 0 : reads.length
}

async function sameSizes(t: Target): Promise<Finding> {
  await askDocumentedForms(t)
  let count = 0
  for (const name of contract.views) {
    const found = await sizesOf(t, name)
    if (typeof found !== 'number') return found
    count += found
  }
  return compared(count, 'reply', 'each has all rows of its view or as many as LIMIT says')
}

/** The check of the numbers of rows in all answers over single views. */
export const answerSizeChecks: Check[] = [
  check({
    id: 'sql.all-rows',
    requirement: 'REQ-SQL-3',
    title: 'return all rows of a view up to LIMIT, whichever columns are named, in every answer',
    killedBy: ['equal-rows-merged', 'rows-without-first-value-lost', 'one-column-merged'],
    phase: 'answers',
    run: sameSizes,
  }),
]

import { contract, type ViewName } from '../../../schemas/index.ts'
import { answersOf, rowsIn, type Found } from '../../answers/answers.ts'
import { askDocumentedForms } from '../../answers/ask.ts'
import { restingRows } from '../../answers/at-rest.ts'
import { isBelowCap } from '../../answers/below-cap.ts'
import { keyedRows } from '../../answers/keyed-rows.ts'
import { anyMoment } from '../../answers/moving.ts'
import type { Reply } from '../../connection/http/reply.ts'
import type { Target } from '../../connection/target.ts'
import { lostAlone, type Lost, type Read } from './lost-alone.ts'
import { check, compared, fail, warn, type Finding } from '../check.ts'
import { findVaryingCap } from '../findings/varying-cap.ts'

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

/** How often a short answer has to be between two longer ones: rows may be removed and added in between, and copies take turns. */
const ROUNDS = 5
/** How often a statement is repeated that once lacked rows at rest. */
const MOST_ROUNDS = 10

/** An answer that is shorter than its LIMIT and than another one. */
interface Short {
  view: ViewName
  read: Read
  /** The statement of the largest answer. */
  largest: string
  /** If repetitions between two of the largest are short each time: the last one, with the one before it. */
  again?: Read & { whole: Reply }
}

/** Repeats a short answer as long as it is short. @param limitOf the LIMIT of each round */
async function repeat(
  t: Target,
  { read, largest }: Short,
  limitOf: (round: number) => number = () => read.limit,
): Promise<Short['again']> {
  let again: Short['again']
  let whole = await t.query(largest)
  for (let round = 0; round < ROUNDS; round++) {
    const limit = limitOf(round)
    const sql = limit === read.limit ? read.sql : read.sql.replace(/\d+$/, String(limit))
    await anyMoment(t)
    const reply = await t.query(sql)
    await anyMoment(t)
    const after = await t.query(largest)
    if (!whole.ok || !reply.ok || !after.ok) return undefined
    if (reply.data.length >= Math.min(limit, whole.data.length, after.data.length)) return undefined
    again = { sql, limit, reply, whole }
    whole = after
  }
  return again
}

/**
 * Repeats a short answer, and then asks for other numbers of rows: a service may send too few rows only when it gets a statement for
 * the first time.
 */
async function repeatShort(t: Target, one: Short): Promise<Short['again']> {
  const again = await repeat(t, one)
  const { limit, reply } = one.read
  if (again || limit === Infinity || limit - ROUNDS <= reply.data.length) return again
  return repeat(t, one, (round) => limit - 1 - round)
}

/**
 * The short answers of the run that no cap on responses explains, repeated: the columns of a statement do not change the number
 * of its rows.
 */
const shortAnswers = (t: Target): Promise<{ count: number; short: Short[]; alone: Lost[] }> =>
  t.once('short answers', async () => {
    await askDocumentedForms(t)
    const short: Short[] = []
    const alone: Lost[] = []
    let count = 0
    for (const view of contract.views) {
      const reads = readsOf(t, view)
      const [largest] = reads.toSorted((a, b) => b.reply.data.length - a.reply.data.length)
      const size = largest?.reply.data.length ?? 0
      if (size < 2) continue
      if (reads.length > 1) count += reads.length
      let repeated = 0
      let suspect: Read | undefined
      for (const read of reads) {
        const isShort = read.reply.data.length < Math.min(read.limit, size)
        if (!isShort || repeated === MOST_REPEATED) continue
        if (!(await isBelowCap(t, read))) {
          suspect ??= read
          continue
        }
        repeated++
        const one: Short = { view, read, largest: largest!.sql }
        const again = await repeatShort(t, one)
        short.push(again ? { ...one, again } : one)
      }
      const lost = suspect && (await lostAlone(t, view, suspect))
      if (lost) alone.push(lost)
    }
    return { count, short, alone }
  })

const failAlone = ({ view, read, sql, key, replies }: Lost): Finding =>
  fail({
    message: `\`${read.sql}\` lacks rows of ${view} that \`${sql}\` lacks too, which is too short to be ended by a cap`,
    expected: `the row with the key ${key}, as other answers show it`,
    actual: `${replies.at(-1)!.data.length} rows without it`,
    exchanges: replies.map(({ exchange }) => exchange),
  })

/** Fails for an answer that is too short every time. */
async function sameSizes(t: Target): Promise<Finding> {
  const { count, short, alone } = await shortAnswers(t)
  if (alone[0]) return failAlone(alone[0])
  const { view, largest, again } = short.find((one) => one.again) ?? {}
  if (!again) return compared(count, 'reply', 'each has all rows of its view or as many as LIMIT says')
  const [rows, all] = [again.reply.data.length, again.whole.data.length]
  const cap = await findVaryingCap(t, largest!)
  if (cap) return cap
  return fail({
    message: `\`${again.sql}\` returns ${rows} rows, although ${view} has at least ${all}`,
    expected: `${Math.min(again.limit, all)} rows, as many as \`${largest}\` returns`,
    actual: `${rows} rows`,
    exchanges: [again.whole.exchange, again.reply.exchange],
  })
}

const keysOf = (found: Found): Set<string> =>
  new Set(found.flatMap((one) => keyedRows(one).map(({ key }) => key)))

/** The rows at rest that answers show before a short one, and the largest one after it. */
async function standing(t: Target, { view, read, largest }: Short): Promise<{ whole: Reply; rows: number }> {
  const whole = await t.query(largest)
  const found = [...rowsIn(t, view)].filter(({ joined, answer }) => !joined && !answer.statement!.filtered)
  const before = keysOf(
    found.slice(
      0,
      found.findIndex(({ answer }) => answer.reply === read.reply),
    ),
  )
  const after = keysOf(found.filter(({ answer }) => answer.reply.exchange === whole.exchange))
  const resting = restingRows(t, found)
  return { whole, rows: [...before].filter((key) => after.has(key) && resting.has(key)).length }
}

/** Whether a statement returns fewer rows than it has to, in one of several repetitions. */
async function isShortAgain(t: Target, { read, largest }: Short, expected: number): Promise<boolean> {
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const { ok, data } = await t.query(read.sql)
    if (ok && data.length < expected) return true
    await t.query(largest)
  }
  return false
}

/** Looks for answers that sometimes lack rows at rest. Fails if a repetition shows it again. */
async function rowsAtRest(t: Target): Promise<Finding> {
  const { count, short } = await shortAnswers(t)
  let once: Finding | undefined
  for (const one of short.filter(({ again }) => !again)) {
    const { sql, limit, reply } = one.read
    const { whole, rows } = await standing(t, one)
    const expected = Math.min(limit, rows)
    if (reply.data.length >= expected) continue
    const finding = {
      message: `\`${sql}\` returns ${reply.data.length} rows of ${one.view}, although answers before and after it show ${rows} that have not changed`,
      expected: `${expected} rows`,
      actual: `${reply.data.length} rows`,
      exchanges: [whole.exchange, reply.exchange],
    }
    if (await isShortAgain(t, one, expected)) return (await findVaryingCap(t, one.largest)) ?? fail(finding)
    once ??= warn({ ...finding, notes: ['Repetitions of the statement did not show it again.'] })
  }
  return once ?? compared(count, 'reply', 'no row at rest is missing')
}

/** Checks of the numbers of rows in all answers over single views. */
export const allRowsChecks = [
  check({
    id: 'sql.all-rows',
    requirement: 'REQ-SQL-3',
    title: 'return all rows of a view up to LIMIT, whichever columns are named, in every answer',
    killedBy: [
      'equal-rows-merged',
      'rows-without-first-value-lost',
      'one-column-merged',
      'first-answer-halved',
      'wide-rows-lost',
      'runs-lost-with-all-columns',
    ],
    phase: 'answers',
    ask: askDocumentedForms,
    run: sameSizes,
  }),
  check({
    id: 'sql.rows-at-rest',
    requirement: 'REQ-SQL-3',
    title: 'return the rows of a view every time',
    killedBy: ['every-seventh-answer-empty'],
    phase: 'answers',
    ask: askDocumentedForms,
    run: rowsAtRest,
  }),
]

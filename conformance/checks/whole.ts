import { contract } from '../../schemas/index.ts'
import { answersOf, type Answer } from '../answers/answers.ts'
import { askIfPossible } from '../answers/ask.ts'
import { isBelowCap } from '../answers/below-cap.ts'
import { anyMoment } from '../answers/moving.ts'
import type { Reply } from '../connection/http/reply.ts'
import { rowsOf } from '../connection/rows.ts'
import { joinSpelling } from '../samples/join.ts'
import type { Target } from '../connection/target.ts'
import { rowsBetween } from '../search/evaluate.ts'
import { OwnRows } from '../search/own-rows.ts'
import { difference, type Difference } from '../search/results/compare.ts'
import { documentedKind, documentedKinds, type DocumentedKind } from '../search/statements/classify.ts'
import { edges } from '../search/statements/edges.ts'
import { POINTS } from '../search/statements/generator-context.ts'
import { notReached } from '../search/not-reached.ts'
import { queryOf } from '../search/query-of.ts'
import { render } from '../search/statements/render.ts'
import { columnNames, columnsOf, type Query } from '../search/statements/syntax.ts'
import { findVaryingCap } from './findings/varying-cap.ts'
import { check, compared, fail, observed, type Check, type Finding } from './check.ts'

/** An answer to a documented statement over views that are known whole. */
interface Judged {
  answer: Answer
  sql: string
  query: Query
  /** The kind of the check. */
  kind: DocumentedKind
}

/** A difference; `lacks` if rows are missing and those that are there are right, which a cap may explain. */
type Wrong = Difference & { lacks?: true }

/** Maximum number of statements of one kind that are repeated. */
const MOST_REPEATED = 3
/** How often the views are read again between repetitions of a statement. */
const ROUNDS = 4
const CAPPED = 'a cap on responses may have ended it'

/** Whether a check judges a statement. Two judge those with LIMIT: their values, and their number. */
const judges = (kind: DocumentedKind, query: Query): boolean =>
  [kind, kind === 'select' ? 'limit' : kind].includes(documentedKind(query))

/** The answers of the run that one check judges. */
function judgedBy(t: Target, own: OwnRows, kind: DocumentedKind): Judged[] {
  return answersOf(t).flatMap((answer): Judged[] => {
    const { reply, sql, statement, rows } = answer
    const isReadable = reply.ok && (rows.length > 0 || reply.data.length === 0)
    const query = isReadable && statement ? queryOf(statement) : undefined
    if (!query || !judges(kind, query)) return []
    const { from, join, after } = query
    const others = [join?.source.view, after && 'newestOf' in after ? after.newestOf : undefined]
    const isKnown =
      own.rows(from.view).length > 0 && (from.view !== POINTS || columnNames(query).includes('id'))
    return isKnown && others.every((view) => !view || own.views.includes(view))
      ? [{ answer, sql: sql!, query, kind }]
      : []
  })
}

/**
 * The difference between a reply and the rows that its statement must and may return. Of points, only those of whole series are
 * compared. A check of LIMIT compares the keys of the rows, and leaves their values to that of SELECT.
 */
function wrongIn(own: OwnRows, { answer, query, kind }: Judged, reply: Reply): Wrong | undefined {
  const { limit = Infinity, from } = query
  const names = columnNames(query)
  const set = rowsOf(reply, names, answer.statement!.items !== undefined)
  if (!set || set.rows.length > limit) return undefined
  const keys = names.filter((name) => contract.keys[from.view].some((key) => key === name))
  const columns = kind === 'limit' && keys.length > 0 ? keys : names
  const { least, most } = rowsBetween(query, own.rows)
  const isPoint = from.view === POINTS
  const known = new Set(isPoint ? own.rows(POINTS).map(({ id }) => id) : [])
  const rows = isPoint ? set.rows.filter(({ id }) => known.has(id)) : set.rows
  const results = { columns, near: own.near, show: own.show }
  const unknown = difference({ ...results, expected: most, actual: rows, chosen: rows.length })
  if (unknown)
    return { ...unknown, message: unknown.message.replace('not in the view', 'not those of the views') }
  if (isPoint || rows.length >= limit || (kind === 'select' && limit < Infinity)) return undefined
  const lost = difference({ ...results, expected: rows, actual: least, chosen: least.length })
  return (
    lost && {
      message: `${rows.length} ${rows.length === 1 ? 'row' : 'rows'}, and ${least.length} are in the views`,
      expected: `at least ${Math.min(limit, least.length)} rows, such as ${lost.actual}`,
      actual: `${rows.length} without it`,
      lacks: true,
    }
  )
}

/** Repeats a statement with a difference. @returns the last difference, or why it proves nothing */
async function proven(t: Target, own: OwnRows, judged: Judged, first: Wrong): Promise<Finding | string> {
  const { sql, query } = judged
  let [wrong, reply] = [first, judged.answer.reply]
  for (let n = 0; n < ROUNDS * 2; n++) {
    await anyMoment(t)
    reply = await t.query(sql)
    const again = reply.ok ? wrongIn(own, judged, reply) : undefined
    if (!again) return 'it differs only sometimes'
    wrong = again
    if (await mayBeCapped(t, wrong, sql, reply)) return CAPPED
    const change = n % 2 === 0 ? await own.change({ query }) : undefined
    if (change !== undefined) return change
  }
  const varying = wrong.lacks && (await findVaryingCap(t, sql))
  if (varying) return varying.message
  const { message, expected, actual } = wrong
  const exchanges = [...own.shownBy({ query }), reply.exchange]
  return fail({ message: `\`${sql}\`: ${message}`, expected, actual, exchanges })
}

/** Sends the statements of one kind that are at an edge. */
async function ask(t: Target, kind: DocumentedKind): Promise<void> {
  const own = await OwnRows.of(t)
  if (own.views.length === 0) return
  const all = await t.once('edges', async () =>
    edges(own, await t.dateSpelling(), (await joinSpelling(t)).as),
  )
  for (const query of all.filter((one) => judges(kind, one))) {
    const rows = query.limit ?? rowsBetween(query, own.rows).most.length
    if (t.rows(rows) === rows) await askIfPossible(() => t.shared(render(query)))
  }
}

/** Whether rows are missing in a reply, which a cap on responses may have ended. */
const mayBeCapped = async (t: Target, wrong: Wrong, sql: string, reply: Reply): Promise<boolean> =>
  wrong.lacks === true && !(await isBelowCap(t, { sql, reply }))

/** Sends statements whose replies a cap may have ended again, with a key, a value and a LIMIT: such replies are far from every cap. */
async function askNarrower(t: Target, own: OwnRows, kind: DocumentedKind): Promise<void> {
  const capped: Query[] = []
  for (const one of judgedBy(t, own, kind)) {
    const wrong = wrongIn(own, one, one.answer.reply)
    if (wrong && (await mayBeCapped(t, wrong, one.sql, one.answer.reply))) capped.push(one.query)
  }
  for (const query of capped.slice(0, MOST_REPEATED)) {
    const { from, join } = query
    const keys = columnsOf(from).filter(({ name }) =>
      (contract.keys[from.view] as readonly string[]).includes(name),
    )
    const names = columnsOf(from).map(({ name }) => name)
    const values = join ? columnsOf(join.source).filter(({ name }) => !names.includes(name)) : []
    const limit = t.rows(rowsBetween(query, own.rows).most.length + 1)
    await askIfPossible(() => t.shared(render({ ...query, items: [...keys, ...values.slice(0, 1)], limit })))
  }
}

async function judge(t: Target, kind: DocumentedKind): Promise<Finding> {
  const own = await OwnRows.of(t)
  if (own.views.length === 0) return observed('no view with several rows could be read whole')
  await ask(t, kind)
  await askNarrower(t, own, kind)
  const judged = judgedBy(t, own, kind)
  const unclear: string[] = []
  let repeated = 0
  for (const one of judged) {
    const wrong = wrongIn(own, one, one.answer.reply)
    if (!wrong) continue
    const found = (await mayBeCapped(t, wrong, one.sql, one.answer.reply))
      ? CAPPED
      : repeated++ < MOST_REPEATED
        ? await proven(t, own, one, wrong)
        : 'it was not repeated'
    if (typeof found !== 'string') return found
    unclear.push(`\`${one.sql}\`: ${found}`)
  }
  const same = judged.length - unclear.length
  const asked = answersOf(t).flatMap(({ statement, reply }) => {
    const query = statement && reply.ok ? queryOf(statement) : undefined
    return query && judges(kind, query) ? [{ query, rows: reply.data.length }] : []
  })
  const missed = notReached(kind, own.rows, asked)
  const notes = [...(kind === 'select' ? own.unread : []), ...(missed ? [`Not reached: ${missed}.`] : [])]
  const rest = notes.length > 0 ? { notes } : {}
  const doubt = unclear.length === 0 ? '' : `${unclear.length} unclear, such as: ${unclear[0]}`
  if (same === 0) return observed(doubt || 'no reply to such a statement over whole views', rest)
  const sentence = 'the rows that the whole views have for its statement'
  return compared(same, 'reply', doubt ? `${sentence}; ${doubt}` : sentence, rest)
}

const checks: Record<DocumentedKind, Pick<Check, 'title' | 'killedBy'>> = {
  select: {
    title: 'return all rows, with their values, whichever columns are named, in every answer',
    killedBy: ['empty-rows-lost', 'points-of-star-drift'],
  },
  limit: { title: 'return that many different rows, in every answer', killedBy: ['batch-row-doubled'] },
  'delta-by-date': {
    title: 'return all rows that changed after a date, in every answer',
    killedBy: ['delta-since-ever-loses-rows'],
  },
  'delta-by-newest': {
    title: 'return all rows that changed after the newest row of a view, in every answer',
    killedBy: ['delta-subquery-min'],
  },
  join: {
    title: 'pair every row with its partner, in every answer',
    killedBy: [
      'join-loses-late-partners',
      'join-one-partner',
      'join-repeated-object-lost',
      'join-fills-missing-partner',
      'join-subquery-ignored',
      'join-with-where-inner',
      'join-without-partner-unfiltered',
      'points-doubled-in-joins',
    ],
  },
}

/** Checks that compare every answer of the run with the views that were read whole. */
export const wholeChecks: Check[] = (Object.keys(documentedKinds) as DocumentedKind[]).map((kind) =>
  check({
    id: `whole.${kind}`,
    requirement: documentedKinds[kind],
    ...checks[kind],
    phase: 'answers',
    repeats: true,
    ask: (t) => ask(t, kind),
    run: (t) => judge(t, kind),
  }),
)

import { askDocumentedForms } from '../answers/ask.ts'
import { contract, view, type ViewName } from '../../schemas/index.ts'
import { unlessRefused } from '../connection/not-exercised.ts'
import type { Reply } from '../connection/http/reply.ts'
import { rowsOf } from '../connection/rows.ts'
import { check, compared, fail, inconclusive, notExercised, type Check, type Finding } from './check.ts'
import { show, type Json, type JsonObject } from '../connection/values/json.ts'
import { refusal } from './findings/refused.ts'
import type { Selection, Target } from '../connection/target.ts'
import { findConcurrentChange } from './findings/concurrent-change.ts'

import { sameValues, valuesAtRest } from './findings/same-values.ts'
import { findVaryingCap } from './findings/varying-cap.ts'
import { joinedBy, joinOfAll, joinSpelling, type JoinSpelling } from '../samples/join.ts'
import { isComplete, whole } from '../samples/whole.ts'
import { remaining } from '../comparisons/remaining.ts'
import { disjointPair } from '../samples/disjoint-pair.ts'
import { joined, miscounted, ownJoin, tooFew, unchangedIds } from '../comparisons/own-join.ts'

/** Maximum number of joined rows. */
const MOST = 900

async function documentedJoin(t: Target): Promise<Finding> {
  const { list, spelling, reply } = await joinOfAll(t)
  const refused = await refusal(t, 'The documented LEFT JOIN of v_timeseries and v_bioprocesses', reply, [
    'SELECT bioprocess_id FROM v_timeseries LIMIT 1',
    'SELECT id FROM v_bioprocesses LIMIT 1',
  ])
  if (refused) return refused
  const lost = await viewLost(t, reply)
  if (lost)
    return fail({
      message: `SELECT ${list} of the join has no column of ${lost}`,
      expected: 'all columns of both views',
      actual: `rows with ${Object.keys(Object(reply.data[0])).join(', ')}`,
      exchanges: [reply.exchange],
    })
  const written = [list, ...(spelling.as === ' ' ? [] : ['AS']), ...(spelling.limit ? [] : ['no LIMIT'])]
  return compared(1, 'statement', `accepted with ${written.join(', ')}`, { exchanges: [reply.exchange] })
}

/**
 * The view of which the documented join shows no column although it shows those of the other. A run without partner may
 * leave out its nulls, so the right view counts only if a row has a partner.
 */
async function viewLost(t: Target, reply: Reply): Promise<ViewName | undefined> {
  const [left, right] = (['v_timeseries', 'v_bioprocesses'] as const).map((name) => ownColumns(name))
  const rows = rowsOf(reply, [...left!, ...right!], false)?.rows ?? []
  const shows = (columns: readonly string[]) => rows.some((row) => columns.some((column) => column in row))
  if (shows(left!) === shows(right!)) return undefined
  if (shows(right!)) return 'v_timeseries'
  const runs = await unlessRefused(t.sample('v_bioprocesses'))
  const ids = new Set(runs?.rows.map((row) => row['id']))
  return rows.some((row) => ids.has(row['bioprocess_id'] ?? null)) ? 'v_bioprocesses' : undefined
}

/** The columns of a view of the documented join that the other one does not have. */
function ownColumns(name: 'v_timeseries' | 'v_bioprocesses'): string[] {
  const other = view(name === 'v_timeseries' ? 'v_bioprocesses' : 'v_timeseries').columns.map(
    (column) => column.name,
  )
  return view(name)
    .columns.map((column) => column.name)
    .filter((column) => !other.includes(column))
}

/** Runs a join in the spelling that the target accepts. Without LIMIT, if it refuses LIMIT after a join. */
const selectJoin = (t: Target, { limit }: JoinSpelling, most: number, sql: string, columns: string[]) =>
  t.select(limit ? `${sql} LIMIT ${t.rows(most)}` : sql, columns)

async function keepsLeftRows(t: Target): Promise<Finding> {
  const pair = await disjointPair(t)
  if (!pair) return notExercised('there are no two columns without a common value')
  const [leftView, leftColumn] = pair.on.left
  const [rightView, rightColumn] = pair.on.right
  const partner = (await t.selectable(rightView)).filter((column) => column !== leftColumn)
  if (partner.length === 0) return notExercised(`${rightView} has no column of another name`)
  const columns = [leftColumn, ...partner]
  const spelling = await joinSpelling(t)
  const join = await selectJoin(
    t,
    spelling,
    MOST,
    `SELECT l.${leftColumn}, ${partner.map((column) => `r.${column}`).join(', ')} ` +
      `FROM ${leftView}${spelling.as}l LEFT JOIN ${rightView}${spelling.as}r ON l.${leftColumn} = r.${rightColumn}`,
    columns,
  )
  const only = ({ rows }: Selection): Json[] => rows.map((row) => row[leftColumn] ?? null)
  const invented = join.rows.find((row) => partner.some((column) => (row[column] ?? null) !== null))
  const further = remaining(only(join), only(pair.left)).length
  const lost = remaining(only(pair.left), only(join)).length
  if (!invented && further === 0 && lost === 0)
    return compared(join.rows.length, 'row', `${leftView} rows without a partner are kept, with nulls`)
  if (!invented && further === 0 && !(await isComplete(t, join)))
    return notExercised('a cap on responses may have ended the join', { exchanges: [join.reply.exchange] })
  const change = await findConcurrentChange(t, 'joined', pair.left, pair.right)
  if (change) return change
  return fail({
    message: invented
      ? `a row of ${leftView} is joined with a row of ${rightView} although they share no value`
      : `LEFT JOIN returns ${join.rows.length} rows for the ${pair.left.rows.length} rows of ${leftView} without a partner`,
    expected: `the ${pair.left.rows.length} rows of ${leftView}, each with null for every column of ${rightView}`,
    actual: invented ? show(invented) : `${join.rows.length} rows`,
    exchanges: [pair.left.reply.exchange, pair.right.reply.exchange, join.reply.exchange],
  })
}

/** Shows a joined row of ownJoin, which is a text. */
const showRow = (row: string): string => show(row)

/** The columns of a view that a join in the client needs, with the time of the last update, which shows a change. */
async function columnsOf(t: Target, name: ViewName, ...columns: string[]): Promise<string[]> {
  const { present } = await t.columns(name)
  return [...columns, ...present.filter((column) => column === contract.delta.column)]
}

const idOf = (row: JsonObject): Json => row['bioprocess_id'] ?? null

/** Compares the joined rows and their number with a join in the client. */
async function equalsOwnJoin(t: Target): Promise<Finding> {
  const allSeries = await whole(t, 'v_timeseries', await columnsOf(t, 'v_timeseries', 'bioprocess_id'))
  const series = allSeries ?? (await t.sample('v_timeseries'))
  const allRuns = await whole(t, 'v_bioprocesses', await columnsOf(t, 'v_bioprocesses', 'id', 'name'))
  const runs = allRuns ?? (await t.sample('v_bioprocesses'))
  const spelling = await joinSpelling(t)
  const most = allSeries ? MOST : series.rows.length
  const sql = `SELECT t.bioprocess_id, b.id, b.name ${joinedBy(spelling)}`
  const join = await selectJoin(t, spelling, most, sql, ['bioprocess_id', 'id', 'name'])
  const complete = await isComplete(t, join)
  const own = ownJoin(runs.rows, allRuns !== undefined)
  /** Judges the rows of some bioprocesses. */
  const judge = (isJudged: (id: Json) => boolean) => {
    const [left, found] = [series.rows, join.rows].map((rows) => rows.filter((row) => isJudged(idOf(row))))
    const known = found!.filter((row) => own(idOf(row)))
    const wrong = known.find((row) => !own(idOf(row))!.includes(joined(row, row)))
    return { known, wrong, miscount: allSeries && miscounted(left!, found!, own, complete) }
  }
  const all = judge(() => true)
  const lacking = allSeries || !complete ? undefined : tooFew(series.rows, join.rows)
  const source = `a join in the client over ${allSeries ? 'all' : 'a sample of'} v_timeseries`
  const same = (rows: number, more = '') => compared(rows, 'row', `same as ${source}${more}`, {}, 2)
  if (!all.wrong && !all.miscount && !lacking) return same(all.known.length)
  const [seriesNow, runsNow] = [await t.readAgain(series), await t.readAgain(runs)]
  const isStill = [
    unchangedIds(series.rows, seriesNow?.rows ?? series.rows, 'bioprocess_id'),
    unchangedIds(runs.rows, runsNow?.rows ?? runs.rows, 'id'),
  ] as const
  const still = judge((id) => isStill.every((one) => one(id)))
  const hasChanged = seriesNow !== undefined || runsNow !== undefined
  const { wrong, miscount = hasChanged ? undefined : lacking } = still
  if (!wrong && !miscount) {
    const others = all.known.length - still.known.length
    // A retry may see the rows that changed at rest.
    if (t.origin !== t && still.known.length > others)
      return same(still.known.length, `, but for ${others} that changed`)
    return inconclusive('v_timeseries or v_bioprocesses had other rows when they were read again', {
      concurrentChange: true,
      exchanges: [series.reply.exchange, runs.reply.exchange],
    })
  }
  return (
    (!wrong && (await findVaryingCap(t, series.sql))) ||
    fail({
      message: wrong
        ? `the join pairs bioprocess_id ${show(idOf(wrong))} with a row that is not its bioprocess`
        : `the join has a wrong number of rows for ${miscount!.of}`,
      expected: wrong ? own(idOf(wrong))!.map(showRow).join(' or ') : `${miscount!.expected} rows`,
      actual: wrong ? showRow(joined(wrong, wrong)) : `${miscount!.found} rows`,
      exchanges: [series.reply.exchange, runs.reply.exchange, join.reply.exchange],
    })
  )
}

/** Compares the joined values of all answers. */
export const joinedValuesCheck = check({
  id: 'join.same-values',
  requirement: 'REQ-JOIN-1',
  title: 'pair the rows that the join names, with their values, in every join',
  killedBy: ['join-truncates-text'],
  phase: 'answers',
  ask: askDocumentedForms,
  run: sameValues(true),
})

/** Compares the joined values of rows that do not change. */
export const joinedAtRestCheck = check({
  id: 'join.values-at-rest',
  requirement: 'REQ-JOIN-1',
  title: 'show one value for each last_updated_at of a joined row, every time',
  killedBy: ['every-second-join-stale'],
  phase: 'answers',
  ask: askDocumentedForms,
  run: valuesAtRest(true),
})

export const joinChecks: Check[] = [
  check({
    id: 'join.documented',
    requirement: 'REQ-SQL-6',
    title: 'accept a LEFT JOIN of two aliased views with all columns of both',
    killedBy: ['join-refused', 'join-without-left', 'join-without-right'],
    run: documentedJoin,
  }),
  check({
    id: 'join.keeps-left-rows',
    requirement: 'REQ-SQL-7',
    title: 'keep left rows without a partner in a LEFT JOIN',
    killedBy: ['join-inner', 'join-partner-invented'],
    run: keepsLeftRows,
  }),
  check({
    id: 'join.equals-own-join',
    requirement: 'REQ-JOIN-1',
    title: 'return the same rows as a join in the client',
    killedBy: ['join-cross', 'join-wrong-key', 'join-unequal', 'join-loses-row'],
    run: equalsOwnJoin,
  }),
]

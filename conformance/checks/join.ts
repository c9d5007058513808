import { check, compared, fail, notExercised, type Check, type Finding } from './check.ts'
import { show, type Json } from '../connection/json.ts'
import { refusal } from './findings/refused.ts'
import { multiset, type Selection, type Target } from '../connection/target.ts'
import { findConcurrentChange } from './findings/concurrent-change.ts'
import { JOINED, joinOfAll } from '../connection/samples/join.ts'
import { disjointPair } from '../connection/samples/disjoint-pair.ts'
import { joined, miscounted, ownJoin, tooFew } from '../comparisons/own-join.ts'

async function documentedJoin(t: Target): Promise<Finding> {
  const { written, reply } = await joinOfAll(t)
  const refused = await refusal(t, 'The documented LEFT JOIN of v_timeseries and v_bioprocesses', reply, [
    'SELECT bioprocess_id FROM v_timeseries LIMIT 1',
    'SELECT id FROM v_bioprocesses LIMIT 1',
  ])
  if (refused) return refused
  return compared(1, 'statement', `accepted with ${written}`, { exchanges: [reply.exchange] })
}

async function keepsLeftRows(t: Target): Promise<Finding> {
  const pair = await disjointPair(t)
  if (!pair) return notExercised('there are no two columns without a common value')
  const [leftView, leftColumn] = pair.on.left
  const [rightView, rightColumn] = pair.on.right
  const partner = (await t.columns(rightView)).present.filter((column) => column !== leftColumn)
  const columns = [leftColumn, ...partner]
  const join = await t.select(
    `SELECT l.${leftColumn}, ${partner.map((column) => `r.${column}`).join(', ')} ` +
      `FROM ${leftView} l LEFT JOIN ${rightView} r ON l.${leftColumn} = r.${rightColumn}`,
    columns,
  )
  const only = ({ rows }: Selection): Json[] => rows.map((row) => row[leftColumn] ?? null)
  const invented = join.rows.find((row) => partner.some((column) => (row[column] ?? null) !== null))
  const kept = multiset(only(join)) === multiset(only(pair.left))
  if (kept && !invented)
    return compared(join.rows.length, 'row', `${leftView} rows without a partner are kept, with nulls`)
  const change = await findConcurrentChange(t, 'joined', pair.left, pair.right)
  if (change) return change
  return fail({
    message: invented
      ? `a row of ${leftView} is joined with a row of ${rightView} although they share no value`
      : `LEFT JOIN returns ${join.rows.length} of ${pair.left.rows.length} rows of ${leftView} without a partner`,
    expected: `the ${pair.left.rows.length} rows of ${leftView}, each with null for every column of ${rightView}`,
    actual: invented ? show(invented) : `${join.rows.length} rows`,
    exchanges: [pair.left.reply.exchange, pair.right.reply.exchange, join.reply.exchange],
  })
}

/** Shows a joined row of ownJoin, which is a text. */
const showRow = (row: string): string => show(row)

/** Compares the joined rows and their number with a join in the client. */
async function equalsOwnJoin(t: Target): Promise<Finding> {
  const allSeries = await t.whole('v_timeseries', ['bioprocess_id'])
  const series = allSeries ?? (await t.sample('v_timeseries'))
  const allRuns = await t.whole('v_bioprocesses', ['id', 'name'])
  const runs = allRuns ?? (await t.sample('v_bioprocesses'))
  const limit = allSeries ? '' : ` LIMIT ${series.rows.length}`
  const sql = `SELECT t.bioprocess_id, b.id, b.name ${JOINED}${limit}`
  const join = await t.select(sql, ['bioprocess_id', 'id', 'name'])
  const own = ownJoin(runs.rows, allRuns !== undefined)
  const known = join.rows.filter((row) => own(row['bioprocess_id'] ?? null))
  const wrong = known.find((row) => !own(row['bioprocess_id'] ?? null)!.includes(joined(row, row)))
  const miscount = allSeries ? miscounted(series.rows, join.rows, own) : tooFew(series.rows, join.rows)
  if (!wrong && !miscount) {
    const count = known.length < 2 ? 0 : known.length
    return compared(
      count,
      'row',
      `same as a join in the client over ${allSeries ? 'all' : 'a sample of'} v_timeseries`,
    )
  }
  const change = await findConcurrentChange(t, 'joined', series, runs)
  if (change) return change
  return fail({
    message: wrong
      ? `the join pairs bioprocess_id ${show(wrong['bioprocess_id'])} with a row that is not its bioprocess`
      : `the join has a wrong number of rows for ${miscount!.of}`,
    expected: wrong
      ? own(wrong['bioprocess_id'] ?? null)!
          .map(showRow)
          .join(' or ')
      : `${miscount!.expected} rows`,
    actual: wrong ? showRow(joined(wrong, wrong)) : `${miscount!.found} rows`,
    exchanges: [series.reply.exchange, runs.reply.exchange, join.reply.exchange],
  })
}

export const joinChecks: Check[] = [
  check({
    id: 'join.documented',
    requirement: 'REQ-SQL-6',
    title: 'accept a LEFT JOIN of two aliased views with all columns of both',
    killedBy: ['join-refused'],
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

import {
  contract,
  view as viewOf,
  views,
  type ViewDefinition,
  type ViewName,
} from '../../../schemas/index.ts'
import { inAYear, LONG_AGO } from '../../connection/values/date-literal.ts'
import { check, compared, fail, inconclusive, notExercised, type Check, type Finding } from '../check.ts'
import { echoed } from '../../connection/redaction/secrets.ts'
import { show } from '../../connection/values/json.ts'
import { refusal } from '../findings/refused.ts'
import { unlessRefused } from '../../connection/not-exercised.ts'
import { describeReply, type Reply } from '../../connection/reply.ts'
import { whole } from '../../connection/samples/whole.ts'
import { multiset, pick, type Selection, type Target } from '../../connection/target.ts'
import { unchangedRows, findConcurrentChange } from '../findings/concurrent-change.ts'
import { overViews, type Compared } from '../findings/over-views.ts'
import { remaining } from '../../comparisons/remaining.ts'
import { hiddenColumns, projectionDifference } from '../../comparisons/projection.ts'

const ROWS = 'LIMIT 200'

async function selectAll(t: Target, definition: ViewDefinition): Promise<Finding> {
  const { name, columns } = definition
  const reply = await t.shared(`SELECT * FROM ${name} ${ROWS}`)
  const control = `SELECT ${columns[0]!.name} FROM ${name} LIMIT 1`
  const refused = await refusal(t, `SELECT * FROM ${name}`, reply, [control])
  if (refused) return refused
  const all = await unlessRefused(t.selectAll(name, ROWS))
  const named = await unlessRefused(t.sample(name))
  const hidden = all && named ? hiddenColumns(definition, all.rows, named.rows) : []
  if (hidden.length === 0) {
    const shown = all ? `${all.rows.length} rows have every column` : 'rows have no column names'
    return compared(1, 'statement', `SELECT * is accepted, ${shown}`, { exchanges: [reply.exchange] })
  }
  const change = await findConcurrentChange(t, 'compared', all, named)
  if (change) return change
  return fail({
    message: `SELECT * omits ${hidden.join(', ')} of ${name}, which a SELECT by name returns`,
    expected: `the documented columns of ${name}`,
    actual: `rows with ${Object.keys(all!.rows[0]!).join(', ')}`,
    exchanges: [named!.reply.exchange, reply.exchange],
  })
}

/**
 * Compares every other column of a view, in reverse order, with the whole rows.
 *
 * @param further gets the members of rows that are no columns
 */
async function selectNamed(t: Target, name: ViewName, further: Set<string>): Promise<Compared> {
  const all = (await unlessRefused(t.selectAll(name, ROWS))) ?? (await unlessRefused(t.sample(name)))
  if (!all || all.rows.length < 2) return 0
  const { present } = await t.columns(name)
  const columns = present.filter((column, index) => column === 'id' || index % 2 === 1).toReversed()
  const named = await unlessRefused(t.select(`SELECT ${columns.join(', ')} FROM ${name} ${ROWS}`, columns))
  if (!named) return 0
  const documented = viewOf(name).columns.map((column) => column.name)
  const compare = ({ rows }: Pick<Selection, 'rows'>) =>
    projectionDifference(rows, named, columns, documented)
  const first = compare(all)
  for (const member of first.further) further.add(member)
  const unchanged = first.difference?.mayHaveChanged ? await unchangedRows(t, 'compared', all) : undefined
  const { matched, difference } = unchanged ? compare(unchanged) : first
  if (!difference) return matched < 2 ? (unchanged?.change ?? 0) : matched
  return fail({
    message: `SELECT of named columns from ${name} ${difference.message}`,
    expected: difference.expected,
    actual: difference.actual,
    exchanges: [all.reply.exchange, named.reply.exchange],
  })
}

async function selectsNamed(t: Target): Promise<Finding> {
  const further = new Set<string>()
  const finding = await overViews(
    contract.uniqueIds,
    'row',
    'named columns have the values of SELECT *',
    (name) => selectNamed(t, name, further),
  )
  if (finding.outcome !== 'pass' || further.size === 0) return finding
  return { ...finding, message: `${finding.message}; rows also have ${echoed([...further].join(', '))}` }
}

/** The rows of a reply in any order. */
const rowsText = ({ data }: Reply): string => multiset(data)

async function quotes(t: Target): Promise<Finding> {
  const sql = `SELECT id FROM v_quantities WHERE last_updated_at > ${await t.dateLiteral(LONG_AGO)}`
  const plain = JSON.stringify({ statement: sql })
  const escaped = plain.replaceAll("'", String.raw`\u0027`)
  const [first, second] = [await t.send(plain), await t.send(escaped)]
  const exchanges = [first.exchange, second.exchange]
  if (!first.ok && !second.ok)
    return notExercised(`a quoted literal is refused in both encodings: ${describeReply(first)}`, {
      exchanges,
    })
  const refused =
    (await refusal(t, "A statement with its quotes sent as '", first, [])) ??
    (await refusal(t, 'A statement with its quotes sent as \\u0027', second, []))
  if (refused) return refused
  if (rowsText(first) !== rowsText(second)) {
    const [secondAgain, firstAgain] = [await t.send(escaped), await t.send(plain)]
    if (rowsText(firstAgain) !== rowsText(first) || rowsText(secondAgain) !== rowsText(second))
      return inconclusive('rows of v_quantities changed while they were compared', {
        exchanges,
        concurrentChange: true,
      })
    return fail({
      message: "the same statement gets another reply if its quotes are sent as \\u0027 instead of '",
      expected: describeReply(first),
      actual: describeReply(second),
      exchanges,
    })
  }
  // The rows of all dates do not show whether the filter was lost.
  const future = `SELECT id FROM v_bioprocesses WHERE last_updated_at > ${await t.dateLiteral(inAYear())}`
  const none = await t.send(JSON.stringify({ statement: future }).replaceAll("'", String.raw`\u0027`))
  if (none.ok && none.data.length > 0 && (await t.query(future)).data.length === 0)
    return fail({
      message: 'a filter has no effect if its quotes are sent as \\u0027',
      expected: 'data []',
      actual: describeReply(none),
      exchanges: [none.exchange],
    })
  const identifiers = await t.query('SELECT "id" FROM "v_quantities" LIMIT 1')
  const observed = `identifiers in double quotes are ${identifiers.ok ? 'accepted' : 'refused'}`
  return compared(2, 'reply', `same rows for ' and \\u0027; ${observed}`, { exchanges })
}

/** The first view with at least two rows that can be read whole, with its first key column. */
async function smallView(t: Target): Promise<{ name: ViewName; key: string; all: Selection } | undefined> {
  const small: ViewName[] = ['v_quantities', 'v_formulas', 'v_experiments', 'v_bioprocesses']
  for (const name of new Set([...small, ...contract.views])) {
    const key = contract.keys[name][0]!
    const all = await unlessRefused(whole(t, name, [key]))
    if (all && all.rows.length > 1) return { name, key, all }
  }
  return undefined
}

/** Checks LIMIT on a small view, at and around its number of rows. */
async function limit(t: Target): Promise<Finding> {
  const view = await smallView(t)
  if (!view) return notExercised('no view with two or more rows could be read whole')
  const { name, key, all } = view
  const size = all.rows.length
  const sizes = [...new Set([size + 5, size, size - 1, 1])]
  const read = (n: number) => t.select(`SELECT ${key} FROM ${name} LIMIT ${n}`, [key])
  // In parallel, the largest first: a target may mix up statements that differ in their numbers only.
  const parts = await Promise.all(sizes.map(read))
  for (const [index, part] of parts.entries()) {
    const n = sizes[index]!
    // Other members of a row are no columns, and may depend on its place in the response.
    const unknown = remaining(
      part.rows.map((row) => pick(row, [key])),
      all.rows,
    )
    const expected = Math.min(n, size)
    if (part.rows.length === expected && unknown.length === 0) continue
    const change = await findConcurrentChange(t, 'counted', all)
    if (change) return change
    const again = part.rows.length < expected ? await read(n) : part
    if (again.rows.length !== part.rows.length && again.rows.length < expected)
      return inconclusive(
        `LIMIT ${n} of ${name} returned ${part.rows.length} rows, then ${again.rows.length}`,
        {
          exchanges: [part.reply.exchange, again.reply.exchange],
        },
      )
    return fail({
      message:
        part.rows.length === expected
          ? `LIMIT ${n} of ${name} returns rows that are not in ${name}, or a row twice`
          : `LIMIT ${n} of ${name}, which has ${size} rows, returns ${part.rows.length} rows`,
      expected: `${expected} rows of ${name}`,
      actual: `${part.rows.length} rows${unknown[0] ? `, among them ${show(unknown[0])}` : ''}`,
      exchanges: [all.reply.exchange, part.reply.exchange],
    })
  }
  const zero = await t.query(`SELECT ${key} FROM ${name} LIMIT 0`)
  return compared(
    sizes.length,
    'limit',
    `${sizes.toReversed().join(', ')} of the ${size} rows of ${name}; LIMIT 0 gets ${describeReply(zero)}`,
  )
}

export const sqlChecks: Check[] = [
  ...views.map((definition) =>
    check({
      id: `sql.select-all:${definition.name}`,
      requirement: 'REQ-SQL-1',
      title: `accept SELECT * from ${definition.name} and return every documented column`,
      killedBy: ['select-all-refused', 'select-all-drops-column'],
      run: (t) => selectAll(t, definition),
    }),
  ),
  check({
    id: 'sql.select-named',
    requirement: 'REQ-SQL-2',
    title: 'return the named columns with the values of SELECT *',
    killedBy: ['named-columns-ignored', 'named-columns-swapped', 'named-column-missing'],
    run: selectsNamed,
  }),
  check({
    id: 'sql.limit',
    requirement: 'REQ-SQL-3',
    title: 'return n rows for LIMIT n, or all rows if there are fewer',
    killedBy: ['limit-plus-one', 'limit-ignored', 'limit-off-when-large', 'limit-repeats-first-row'],
    run: limit,
  }),
  check({
    id: 'sql.quotes',
    requirement: 'REQ-SQL-9',
    title: 'accept both JSON encodings of quotes in a statement',
    killedBy: [
      'quotes-escaped-refused',
      'quotes-plain-refused',
      'quotes-escaped-lose-filter',
      'quotes-escaped-end-statement',
    ],
    run: quotes,
  }),
]

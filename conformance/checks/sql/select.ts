import {
  contract,
  view as viewOf,
  views,
  type ViewDefinition,
  type ViewName,
} from '../../../schemas/index.ts'
import { hiddenColumns, projectionDifference } from '../../comparisons/projection.ts'
import { unlessRefused } from '../../connection/not-exercised.ts'
import { illegible } from '../../connection/http/reply.ts'
import { echoed } from '../../connection/redaction/secrets.ts'
import type { Selection, Target } from '../../connection/target.ts'
import { check, compared, fail, notExercised, type Check, type Finding } from '../check.ts'
import { findConcurrentChange, unchangedRows } from '../findings/concurrent-change.ts'
import { overViews, type Compared } from '../findings/over-views.ts'
import { refusal } from '../findings/refused.ts'

const ROWS = 'LIMIT 200'

async function selectAll(t: Target, definition: ViewDefinition): Promise<Finding> {
  const { name, columns } = definition
  const reply = await t.shared(`SELECT * FROM ${name} ${ROWS}`)
  const broken = illegible(reply)
  if (broken) return notExercised(broken, { exchanges: [reply.exchange] })
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
  const present = await t.selectable(name)
  const columns = present.filter((column, index) => column === 'id' || index % 2 === 1).toReversed()
  if (columns.length === 0) return 0
  const named = await unlessRefused(
    t.selectOnce(`SELECT ${columns.join(', ')} FROM ${name} ${ROWS}`, columns),
  )
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

export const selectChecks: Check[] = [
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
]

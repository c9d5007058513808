import { views } from '../../../../schemas/views.ts'
import { allowedFunctions } from '../../../gate/functions.ts'
import { allowedTypes } from '../../../gate/types.ts'
import { StatementRefused } from '../../../statement.ts'
import { type Fields, fieldsOf, listOf, walk } from '../../../syntax-tree.ts'

/** Names that PostgreSQL gives to expressions without an alias and to columns of functions, beside those of functions and types. */
const implicitNames =
  `array case coalesce column1 column2 column3 column4 column5 column6 column7 column8 column9
  current_date current_time current_timestamp exists greatest grouping key least localtime localtimestamp nullif ordinality
  row ?column?`.split(/\s+/)

const alwaysKnown: ReadonlySet<string> = new Set([
  ...views.flatMap(({ columns }) => columns.map(({ name }) => name)),
  ...allowedFunctions,
  ...allowedTypes,
  ...implicitNames,
])

/**
 * Refuses a column that may be a function: PostgreSQL reads `v.f` as `f(v)` if the row has no column `f`. In the embedded engine
 * the rights of the role deny such calls; on other servers everybody may execute most functions. (The gate refuses `(v).f`.)
 *
 * @param columns those that the views have beyond the contract
 * @throws StatementRefused
 */
export function refuseFunctionsAsColumns(select: Fields, columns: readonly string[]): void {
  const named = new Set([...namesIn(select), ...columns])
  walk(select, (fields, type) => {
    if (type !== 'ColumnRef') return
    const path = listOf(fields['fields'])
    const last = fieldsOf(path.at(-1), 'String')?.['sval']
    if (path.length < 2 || last === undefined) return
    const name = String(last)
    if (!alwaysKnown.has(name) && !named.has(name))
      throw new StatementRefused('other', `column "${name}" does not exist`, '42703')
  })
}

/** Where a statement names columns, tables and the like; the last ones are those of SEARCH and CYCLE. */
const namingFields = `name aliasname colname ctename
  search_seq_column cycle_mark_column cycle_path_column`.split(/\s+/)

/** The names that a statement gives. */
function namesIn(select: Fields): ReadonlySet<string> {
  const names = new Set<string>()
  walk(select, (fields) => {
    for (const key of namingFields) if (typeof fields[key] === 'string') names.add(fields[key])
    for (const key of ['colnames', 'aliascolnames'])
      for (const item of listOf(fields[key])) names.add(String(fieldsOf(item, 'String')?.['sval']))
  })
  return names
}

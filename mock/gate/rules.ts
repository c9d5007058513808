import type { SqlRules } from '../engine/engine.ts'
import { unlistedPart } from './allow-list.ts'
import { dateSpelling, type DateSpelling } from './date-literals.ts'
import { undocumentedPart } from './documented.ts'
import { type Fields, fieldsOf, listOf, namesOf, walk } from './syntax-tree.ts'

/** Why a SELECT that reads is refused all the same by a server's own rules, as a sentence; undefined where it is not. */
export function beyondRules(select: Fields, rules: SqlRules): string | undefined {
  const undocumented = rules.accept === 'documented' ? undocumentedPart(select) : undefined
  if (undocumented !== undefined)
    return `The contract does not document ${undocumented}; this server takes the documented kinds alone.`
  const unlisted = rules.accept === 'allow-list' ? unlistedPart(select) : undefined
  if (unlisted !== undefined) return `${unlisted} is not on the list of what this server takes.`
  const filter = rules.filters === 'refused' ? otherFilter(select) : undefined
  if (filter !== undefined) return `This server takes no filter on ${filter}, on ${cursor} alone.`
  if (rules.dates !== 'all' && dateSpellings(select).some((spelling) => spelling !== rules.dates))
    return `This server takes dates spelled as ${rules.dates} alone.`
  return undefined
}

const cursor = 'last_updated_at'

/** A column other than the cursor that a WHERE clause names. */
function otherFilter(select: Fields): string | undefined {
  const columns: string[] = []
  walk({ SelectStmt: select }, ({ whereClause }) =>
    walk(whereClause, (fields, type) => {
      if (type === 'ColumnRef') columns.push(namesOf(fields['fields']).at(-1) ?? '')
    }),
  )
  return columns.find((column) => column !== cursor)
}

const isCursor = (value: unknown) => namesOf(fieldsOf(value, 'ColumnRef')?.['fields']).at(-1) === cursor

/** The spellings of the dates that the cursor is compared with. */
function dateSpellings(select: Fields): DateSpelling[] {
  const spellings: DateSpelling[] = []
  walk({ SelectStmt: select }, ({ lexpr, rexpr }, type) => {
    if (type !== 'A_Expr' || !(isCursor(lexpr) || isCursor(rexpr))) return
    // BETWEEN and IN have a list on their right
    for (const other of [lexpr, rexpr, ...listOf(fieldsOf(rexpr, 'List')?.['items'])]) {
      const spelling = dateSpelling(other)
      if (spelling !== undefined) spellings.push(spelling)
    }
  })
  return spellings
}

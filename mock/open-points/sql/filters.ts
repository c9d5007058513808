import { implement } from '../implement.ts'
import type { SyntaxRule } from '../kinds.ts'
import { type Fields, namesOf, walk } from '../../syntax/tree.ts'

/** A column other than `last_updated_at` in a WHERE clause. */
function otherFilter(select: Fields): string | undefined {
  const columns: string[] = []
  walk({ SelectStmt: select }, ({ whereClause }) =>
    walk(whereClause, (fields, type) => {
      if (type === 'ColumnRef') columns.push(namesOf(fields['fields']).at(-1) ?? '')
    }),
  )
  return columns.find((column) => column !== 'last_updated_at')
}

export const filterRule = implement<'sql.filters', SyntaxRule | undefined>('sql.filters', {
  accepted: undefined,
  refused: (select) => {
    const column = otherFilter(select)
    return column === undefined
      ? undefined
      : `WHERE may only use last_updated_at here; "${column}" is not allowed.`
  },
})

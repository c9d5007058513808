import { type Fields, namesOf, walk } from './syntax-tree.ts'

const clauses = new Set(
  'targetList fromClause whereClause sortClause limitCount limitOffset limitOption op'.split(' '),
)

const nodes = new Set(
  `A_Const A_Expr A_Star BoolExpr ColumnRef FuncCall Integer JoinExpr List NullTest RangeVar ResTarget SelectStmt
   SortBy String SubLink TypeCast`.split(/\s+/),
)

const functions = new Set(['max', 'min'])

/**
 * What a SELECT has beyond a short list of permitted constructs: columns, joins, filters, an order, a limit, and
 * the greatest and least of a column. Undefined when there is nothing.
 */
export function unlistedPart(select: Fields): string | undefined {
  const unlisted: string[] = []
  walk({ SelectStmt: select }, (fields, type) => {
    if (type !== undefined && !nodes.has(type)) unlisted.push(type)
    if (type === 'SelectStmt') unlisted.push(...Object.keys(fields).filter((name) => !clauses.has(name)))
    if (type === 'SelectStmt' && fields['op'] !== 'SETOP_NONE') unlisted.push(String(fields['op']))
    if ('over' in fields) unlisted.push('OVER')
    if (type === 'FuncCall' && !functions.has(namesOf(fields['funcname']).at(-1) ?? ''))
      unlisted.push(namesOf(fields['funcname']).join('.'))
  })
  return unlisted[0]
}

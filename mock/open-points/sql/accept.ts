import { implement } from '../implement.ts'
import type { SyntaxRule } from '../kinds.ts'
import { type Fields, fieldsOf, isFields, listOf, namesOf, nodeOf, walk } from '../../syntax/tree.ts'

/** Which SELECTs are refused although they only read, and how other statements are treated. */
export interface AcceptedSql {
  readonly rule?: SyntaxRule
  /** Other statements are answered like a SELECT without rows. They are never executed. */
  readonly answersWrites?: true
}

export const acceptedSql = implement<'sql.accept', AcceptedSql>('sql.accept', {
  'select-only': {},
  documented: {
    rule: (select) => {
      const part = undocumentedPart(select)
      return part && `The contract does not document ${part}; this server accepts only the documented kinds.`
    },
  },
  'allow-list': {
    rule: (select) => {
      const part = unlistedPart(select)
      return part && `${part} is not on the list of constructs that this server accepts.`
    },
  },
  any: { answersWrites: true },
})

/** The fields that the parser fills in every SELECT, and the clauses of the documented kinds. */
const documentedClauses = new Set('targetList fromClause whereClause limitCount limitOption op'.split(' '))

const comparisons = new Set(['>', '>=', '<', '<=', '='])

/**
 * The first part of a SELECT that is not of a documented kind.
 *
 * The contract documents all or named columns, LIMIT, WHERE comparing last_updated_at with a literal or a scalar
 * subquery, and LEFT JOIN with aliases.
 */
function undocumentedPart(select: Fields): string | undefined {
  const clause = Object.keys(select).find((name) => !documentedClauses.has(name))
  if (clause !== undefined || select['op'] !== 'SETOP_NONE') return 'this form of SELECT'
  const from = listOf(select['fromClause'])
  if (from.length !== 1 || !isSource(from[0])) return 'this FROM clause'
  if (!listOf(select['targetList']).every(isNamedColumn)) return 'anything but columns in the select list'
  if (select['limitCount'] !== undefined && !isCount(select['limitCount'])) return 'this LIMIT'
  if (select['whereClause'] !== undefined && !isDeltaFilter(select['whereClause'])) return 'this WHERE clause'
  return undefined
}

function isNamedColumn(item: unknown): boolean {
  const target = fieldsOf(item, 'ResTarget')
  return target !== undefined && target['name'] === undefined && isColumn(target['val'])
}

const isColumn = (value: unknown) => fieldsOf(value, 'ColumnRef') !== undefined

function isSource(item: unknown): boolean {
  const node = nodeOf(item)
  if (node?.type === 'RangeVar') return true
  if (node?.type !== 'JoinExpr') return false
  const { jointype, larg, rarg, quals, usingClause, isNatural } = node.fields
  if (jointype !== 'JOIN_LEFT' || usingClause !== undefined || isNatural === true) return false
  return isSource(larg) && isSource(rarg) && isColumnEquality(quals)
}

function isColumnEquality(value: unknown): boolean {
  const expression = fieldsOf(value, 'A_Expr')
  if (expression?.['kind'] !== 'AEXPR_OP' || namesOf(expression['name']).join('.') !== '=') return false
  return isColumn(expression['lexpr']) && isColumn(expression['rexpr'])
}

function isDeltaFilter(value: unknown): boolean {
  const expression = fieldsOf(value, 'A_Expr')
  if (expression?.['kind'] !== 'AEXPR_OP') return false
  if (!comparisons.has(namesOf(expression['name']).join('.'))) return false
  return isLastUpdatedAt(expression['lexpr']) && isBound(expression['rexpr'])
}

function isLastUpdatedAt(value: unknown): boolean {
  return namesOf(fieldsOf(value, 'ColumnRef')?.['fields']).at(-1) === 'last_updated_at'
}

/** A date literal, with or without a type, or the maximum of another view. */
function isBound(value: unknown): boolean {
  const cast = fieldsOf(value, 'TypeCast')
  if (isText(cast ? cast['arg'] : value)) return true
  const subquery = fieldsOf(value, 'SubLink')
  if (subquery?.['subLinkType'] !== 'EXPR_SUBLINK') return false
  const select = fieldsOf(subquery['subselect'], 'SelectStmt')
  return select !== undefined && isMaximum(select)
}

function isMaximum(select: Fields): boolean {
  const { targetList, fromClause, limitOption: _, op, ...rest } = select
  if (op !== 'SETOP_NONE' || Object.keys(rest).length > 0) return false
  const [target, secondTarget] = listOf(targetList)
  const [source, secondSource] = listOf(fromClause)
  if (secondTarget !== undefined || secondSource !== undefined) return false
  const call = fieldsOf(fieldsOf(target, 'ResTarget')?.['val'], 'FuncCall')
  if (call === undefined || nodeOf(source)?.type !== 'RangeVar') return false
  const [argument, secondArgument] = listOf(call['args'])
  return (
    namesOf(call['funcname']).join('.') === 'max' &&
    !('over' in call || 'agg_filter' in call || 'agg_distinct' in call || 'agg_order' in call) &&
    secondArgument === undefined &&
    isLastUpdatedAt(argument)
  )
}

const isText = (value: unknown) => isFields(fieldsOf(value, 'A_Const')?.['sval'])

const isCount = (value: unknown) => isFields(fieldsOf(value, 'A_Const')?.['ival'])

const listedClauses = new Set(
  'targetList fromClause whereClause sortClause limitCount limitOffset limitOption op'.split(' '),
)

const listedNodes = new Set(
  `A_Const A_Expr A_Star BoolExpr ColumnRef FuncCall Integer JoinExpr List NullTest RangeVar ResTarget SelectStmt
   SortBy String SubLink TypeCast`.split(/\s+/),
)

const listedFunctions = new Set(['max', 'min'])

/**
 * The first part of a SELECT that is not on a short list: columns, joins, filters, an order, a limit, and the
 * greatest and least of a column.
 */
function unlistedPart(select: Fields): string | undefined {
  const unlisted: string[] = []
  walk({ SelectStmt: select }, (fields, type) => {
    if (type !== undefined && !listedNodes.has(type)) unlisted.push(type)
    if (type === 'SelectStmt')
      unlisted.push(...Object.keys(fields).filter((name) => !listedClauses.has(name)))
    if (type === 'SelectStmt' && fields['op'] !== 'SETOP_NONE') unlisted.push(String(fields['op']))
    if ('over' in fields) unlisted.push('OVER')
    if (type === 'FuncCall' && !listedFunctions.has(namesOf(fields['funcname']).at(-1) ?? ''))
      unlisted.push(namesOf(fields['funcname']).join('.'))
  })
  return unlisted[0]
}

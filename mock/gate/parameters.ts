import { type Fields, fieldsOf, isFields, listOf, namesOf, nodeOf } from '../syntax-tree.ts'

const comparisons: ReadonlySet<unknown> = new Set([
  '=',
  '<>',
  '<',
  '>',
  '<=',
  '>=',
  '~~',
  '~~*',
  '!~~',
  '!~~*',
])

/** Kinds of comparisons of a column with several constants, or a pattern. */
const withColumnFirst: ReadonlySet<unknown> = new Set([
  'AEXPR_IN',
  'AEXPR_BETWEEN',
  'AEXPR_LIKE',
  'AEXPR_ILIKE',
])

/**
 * Parts of a SELECT without parameters: PostgreSQL compares their expressions with each other, and two parameters of one
 * value are not equal then. A constant there may also decide the type of an expression (`SELECT 'a'`) or mean a column
 * (`ORDER BY 1`).
 */
const withoutParameters: ReadonlySet<string> = new Set([
  'targetList',
  'distinctClause',
  'groupClause',
  'havingClause',
  'sortClause',
  'valuesLists',
  'windowClause',
])

/**
 * The places of the constants that a prepared statement may take as parameters without any other change of its meaning:
 * those that WHERE and ON compare with a column, numbers compared with a number there, and that of OFFSET.
 */
export function parameterPlaces(select: Fields): ReadonlySet<number> {
  const places = new Set<number>()
  const take = (constants: readonly unknown[]) => {
    for (const constant of constants) places.add(placeOf(constant)!)
  }
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(visit)
    if (!isFields(value)) return
    const node = nodeOf(value)
    const fields = node ? node.fields : value
    if (node?.type === 'A_Expr') take(comparedConstants(fields))
    if (isNumber(fields['limitOffset'])) take([fields['limitOffset']])
    for (const [name, part] of Object.entries(fields)) if (!withoutParameters.has(name)) visit(part)
  }
  visit(select)
  return places
}

function comparedConstants(fields: Fields): readonly unknown[] {
  const { kind } = fields
  const [left, right] = [operandsOf(fields['lexpr']), operandsOf(fields['rexpr'])]
  if (withColumnFirst.has(kind)) return left.every(isColumn) && right.every(isConstant) ? right : []
  if (kind !== 'AEXPR_OP' || !comparisons.has(namesOf(fields['name'])[0])) return []
  if (left.every(isColumn) && right.every(isConstant)) return right
  if (left.every(isConstant) && right.every(isColumn)) return left
  return left.every(isNumber) && right.every(isNumber) ? [...left, ...right] : []
}

/** The largest number of rows that a statement can return, if its LIMIT is a number. */
export function limitOf(select: Fields): number | undefined {
  const value = fieldsOf(select['limitCount'], 'A_Const')?.['ival'] as Fields | undefined
  if (!value || select['limitOption'] !== 'LIMIT_OPTION_COUNT') return undefined
  return Number(value['ival'] ?? 0)
}

/** The place of a constant in the text; undefined for anything else. */
export const placeOf = (value: unknown): number | undefined => {
  const constant = fieldsOf(value, 'A_Const')
  return constant && Number(constant['location'] ?? 0)
}

const operandsOf = (value: unknown): readonly unknown[] => {
  const list = fieldsOf(value, 'List')
  return list ? listOf(list['items']) : [value]
}

const isColumn = (value: unknown): boolean => fieldsOf(value, 'ColumnRef') !== undefined

const isConstant = (value: unknown): boolean => {
  const constant = fieldsOf(value, 'A_Const')
  return constant !== undefined && ('sval' in constant || isNumber(value))
}

const isNumber = (value: unknown): boolean => {
  const constant = fieldsOf(value, 'A_Const')
  return constant !== undefined && ('ival' in constant || 'fval' in constant)
}

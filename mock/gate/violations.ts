import { views } from '../../schemas/views.ts'
import type { Withheld } from '../open-points/auth/permission.ts'
import { allowedFunctions } from './functions.ts'
import { type Fields, fieldsOf, isFields, listOf, namesOf, nodeOf } from '../syntax-tree.ts'
import { allowedTypes } from './types.ts'

/** Why a statement is refused: the first violation of each kind, in the order of PostgreSQL's own checks. */
export interface Violations {
  /** The name of a relation that does not exist, as PostgreSQL prints it. */
  readonly relation?: string
  /** Any other reason. */
  readonly refusal?: string
  /** The name of a view that the statement may not read. */
  readonly denied?: string
  /** Whether a part of the statement changes data. */
  readonly writes?: boolean
  /** Where the statement names a view without its schema, in bytes. */
  readonly views: readonly number[]
}

/**
 * Names of common table expressions that hide relations of the same name: those of a WITH clause, and of the clauses around it.
 * They are not copied: a statement may have tens of thousands of each.
 */
interface Scope {
  readonly names: ReadonlySet<string>
  readonly outer?: Scope
}

const viewNames: ReadonlySet<string> = new Set(views.map(({ name }) => name))

/** Fields that may follow a parenthesised value: `(event).key`. A function's name there would be a call. */
const fieldNames: ReadonlySet<string> = new Set([
  ...views.flatMap(({ columns }) => columns.map(({ name }) => name)),
  ...allowedFunctions,
  'key',
  'value',
])

/** Every node of a read-only SELECT. All others are refused, also those of later grammars. */
const allowedNodes: ReadonlySet<string> = new Set(
  `A_ArrayExpr A_Const A_Expr A_Indices A_Indirection A_Star BitString BoolExpr Boolean BooleanTest CaseExpr
   CaseWhen CoalesceExpr CollateClause ColumnDef ColumnRef CommonTableExpr Float FuncCall GroupingFunc
   GroupingSet Integer JoinExpr JsonAggConstructor JsonArgument JsonArrayAgg JsonArrayConstructor
   JsonArrayQueryConstructor JsonBehavior JsonFuncExpr JsonIsPredicate JsonKeyValue JsonObjectAgg
   JsonObjectConstructor JsonOutput JsonParseExpr JsonScalarExpr JsonSerializeExpr JsonTable JsonTableColumn
   JsonTablePathSpec JsonValueExpr List MinMaxExpr NamedArgExpr NullTest RangeFunction RangeSubselect RangeVar
   ResTarget RowExpr SQLValueFunction SelectStmt SortBy String SubLink TypeCast TypeName WindowDef
   WithClause`.split(/\s+/),
)

/** The field of each node that holds the name of an operator. */
const operatorFields: ReadonlyMap<string, string> = new Map(
  Object.entries({ A_Expr: 'name', SortBy: 'useOp', SubLink: 'operName' }),
)

/** Functions without parentheses that tell the time. The others tell about the session, as `current_user` does. */
const times = /^(CURRENT|LOCAL)_?(DATE|TIME|TIMESTAMP)(_N)?$/

/** Statements whose relations PostgreSQL looks up before any other check. */
const writes: ReadonlySet<string> = new Set(['InsertStmt', 'UpdateStmt', 'DeleteStmt', 'MergeStmt'])

/** Types of fields that the parser writes without naming the type. */
const bareTypes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    intoClause: 'IntoClause',
    larg: 'SelectStmt',
    rarg: 'SelectStmt',
    relation: 'RangeVar',
    typeName: 'TypeName',
    withClause: 'WithClause',
  }),
)

/** Finds the first violation of each kind in parsed statements. */
export function findViolations(statements: readonly unknown[], withheld?: Withheld): Violations {
  const finder = new Finder(withheld)
  finder.visit(statements, { names: new Set() })
  return finder.violations
}

const nameOf = (table: Fields): string => String(table['ctename'])

/** Whether a name has no schema, or that of PostgreSQL. */
const isBuiltIn = (names: readonly string[]): boolean =>
  names.length < 2 || (names.length === 2 && names[0] === 'pg_catalog')

function isHidden(name: string, scope: Scope | undefined): boolean {
  for (let at = scope; at; at = at.outer) if (at.names.has(name)) return true
  return false
}

class Finder {
  readonly violations: { -readonly [Kind in keyof Violations]: Violations[Kind] } & { views: number[] } = {
    views: [],
  }
  readonly #withheld: Withheld | undefined

  constructor(withheld: Withheld | undefined) {
    this.#withheld = withheld
  }

  visit(value: unknown, scope: Scope): void {
    if (Array.isArray(value)) {
      for (const member of value) this.visit(member, scope)
      return
    }
    const node = nodeOf(value)
    if (node) this.#node(node.type, node.fields, scope)
    else if (isFields(value)) this.#fields(value, scope)
  }

  #node(type: string, fields: Fields, scope: Scope): void {
    if (!allowedNodes.has(type)) {
      this.#refuse(writes.has(type) ? 'Data cannot be changed here.' : `${type} is not accepted.`)
      if (!writes.has(type)) return
      this.violations.writes = true
    }
    if (type === 'RangeVar') this.#relation(fields, scope)
    if (type === 'FuncCall') this.#call(namesOf(fields['funcname']))
    if (type === 'TypeName') this.#type(namesOf(fields['names']))
    const operatorField = operatorFields.get(type)
    if (operatorField !== undefined) this.#operator(namesOf(fields[operatorField]))
    if (type === 'A_Indirection') this.#selection(fields)
    if (type === 'SQLValueFunction') this.#keyword(String(fields['op']).replace('SVFOP_', ''))
    this.#fields(fields, this.#withScope(fields, scope))
  }

  /** Visits WITH and FROM first, as PostgreSQL does: which of two unknown names is reported depends on it. */
  #fields(fields: Fields, scope: Scope): void {
    const { withClause: _, fromClause, ...rest } = fields
    this.visit(fromClause, scope)
    for (const [name, value] of Object.entries(rest)) {
      const bare = bareTypes.get(name)
      if (bare !== undefined && isFields(value) && !nodeOf(value)) this.#node(bare, value, scope)
      else this.visit(value, scope)
    }
  }

  /** Visits the common table expressions; each sees those before it, or all of them when recursive. */
  #withScope(fields: Fields, scope: Scope): Scope {
    const clause = fields['withClause']
    if (!isFields(clause)) return scope
    const tables = listOf(clause['ctes']).map((cte) => fieldsOf(cte, 'CommonTableExpr') ?? {})
    const names = new Set(clause['recursive'] === true ? tables.map(nameOf) : [])
    const inner = { names, outer: scope }
    for (const table of tables) {
      this.#fields(table, inner)
      names.add(nameOf(table))
    }
    return inner
  }

  #relation(fields: Fields, scope: Scope): void {
    const { catalogname, schemaname, relname } = fields as Record<string, string | undefined>
    const name = String(relname)
    if (schemaname === undefined && isHidden(name, scope)) return
    if (viewNames.has(name) && catalogname === undefined && (schemaname ?? 'public') === 'public') {
      if (schemaname === undefined) this.violations.views.push(Number(fields['location'] ?? 0))
      if (name !== this.#withheld?.view) return
      if (this.#withheld.as === 'denied') {
        this.violations.denied = name
        return
      }
    }
    this.violations.relation ??= [catalogname, schemaname, name]
      .filter((part) => part !== undefined)
      .join('.')
  }

  #call(names: readonly string[]): void {
    const name = names.at(-1) ?? ''
    if (!isBuiltIn(names) || !allowedFunctions.has(name))
      this.#refuse(`The function ${names.join('.')} is not accepted.`)
  }

  #keyword(name: string): void {
    if (!times.test(name)) this.#refuse(`The function ${name.toLowerCase()} is not accepted.`)
  }

  #type(names: readonly string[]): void {
    const name = names.at(-1) ?? ''
    // RETURNING and the like may leave the type to the database
    if (names.length > 0 && (!isBuiltIn(names) || !allowedTypes.has(name))) {
      this.#refuse(`The type ${names.join('.')} is not accepted.`)
    }
  }

  /** An operator calls its function. */
  #operator(names: readonly string[]): void {
    if (!isBuiltIn(names)) this.#refuse(`The operator ${names.join('.')} is not accepted.`)
  }

  #selection(fields: Fields): void {
    for (const step of listOf(fields['indirection'])) {
      const name = fieldsOf(step, 'String')?.['sval']
      if (name !== undefined && !fieldNames.has(String(name)))
        this.#refuse(`The field ${name} is not accepted.`)
    }
  }

  #refuse(reason: string): void {
    this.violations.refusal ??= reason
  }
}

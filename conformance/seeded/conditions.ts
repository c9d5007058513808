import { contract, type ViewName } from '../../schemas/index.ts'
import { columnsOf } from '../search/columns.ts'
import type { PlantContext } from './values.ts'
import type { ColumnUse, Condition, Expression, Literal, Source } from '../search/syntax.ts'

/** A random condition on one source, with up to `depth` nested connectives. */
export function conditionOf(context: PlantContext, source: Source, depth: number): Condition {
  const { random } = context
  if (depth === 0) return predicate(context, source)
  const part = () => conditionOf(context, source, depth - 1)
  if (random.chance(0.2)) return { is: 'not', part: part() }
  return { is: random.pick(['and', 'or']), parts: [part(), part()] }
}

function predicate(context: PlantContext, source: Source): Condition {
  const { random, values } = context
  const columns = columnsOf(source)
  const kind = random.pick([...new Set(columns.map((column) => column.kind))])
  const column = random.pick(columns.filter((candidate) => candidate.kind === kind))
  const isNull = (): Condition => ({ is: 'null', of: column, not: random.chance(0.5) })
  if (column.kind === 'json') return member(context, source.view, column) ?? isNull()
  const known = values.literals(source.view, column)
  if (known.length === 0 || random.chance(0.15)) return isNull()
  const literal = () => random.pick(known)
  const compare = (operators: readonly ('=' | '<>' | '<' | '<=' | '>' | '>=')[]): Condition => ({
    is: 'compare',
    operator: random.pick(operators),
    left: random.chance(0.1) ? withDefault(column, literal()) : column,
    right: literal(),
  })
  const list = (): Condition => ({
    is: 'in',
    of: column,
    list: random.some(known, random.whole(1, 4)),
    not: random.chance(0.3),
  })
  if (column.kind === 'boolean') return compare(['=', '<>'])
  if (column.kind === 'text')
    return random.pick([() => compare(['=', '<>']), list, () => textual(context, source, column)])()
  return random.pick([
    () => compare(['=', '<>', '<', '<=', '>', '>=']),
    () => compare(['<', '<=', '>', '>=']),
    list,
    (): Condition => between(column, literal(), literal()),
    (): Condition => ({
      is: 'compare',
      operator: random.pick(['<', '<=', '=', '>=', '>']),
      left: column,
      right: { is: 'extreme', function: random.pick(['MAX', 'MIN']), column: column.name, view: source.view },
    }),
  ])()
}

/** The bounds may be in the wrong order, which returns no row. */
const between = (of: Expression, low: Literal, high: Literal): Condition => ({ is: 'between', of, low, high })

const withDefault = (column: ColumnUse, literal: Literal): Expression => ({
  is: 'call',
  function: 'COALESCE',
  arguments: [column, literal],
})

/** LIKE, comparison in another letter case, or IN with the keys of a related view. */
function textual({ random, values }: PlantContext, source: Source, column: ColumnUse): Condition {
  const { sql } = random.pick(values.literals(source.view, column))
  const text = sql.slice(1, -1).replaceAll("''", "'")
  const relation = contract.relations.find(({ from }) => from === `${source.view}.${column.name}`)
  if (relation && random.chance(0.5)) {
    const [view, name] = relation.to.split('.') as [ViewName, string]
    return { is: 'among', of: column, column: name, view, not: random.chance(0.3) }
  }
  if (random.chance(0.5)) {
    const other: Literal = { is: 'literal', sql: random.chance(0.5) ? sql.toLowerCase() : sql.toUpperCase() }
    return { is: 'compare', operator: random.pick(['=', '<>']), left: column, right: other }
  }
  // Wildcards in the text only match more; a backslash would escape.
  const part = text.replaceAll('\\', '_').slice(0, random.whole(1, 6))
  const pattern = random.pick([`${part}%`, `%${part}%`, `%${part.slice(1)}`])
  return { is: 'like', of: column, pattern, not: random.chance(0.3) }
}

/** `qc ->> 'status' IS NULL`, or its opposite; undefined if no key is known. */
function member({ random, values }: PlantContext, view: ViewName, of: ColumnUse): Condition | undefined {
  const keys = values.keys(view, of)
  if (keys.length === 0) return undefined
  return { is: 'null', of: { is: 'member', of, key: random.pick(keys) }, not: random.chance(0.5) }
}

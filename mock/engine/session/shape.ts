import type { Literal, Template } from '../../gate/literals.ts'
import { limitOf, parameterPlaces } from '../../gate/parameters.ts'
import { isRepeatable, mayBeClock } from '../../gate/repeatable.ts'
import { type Fields, walk } from '../../syntax-tree.ts'
import { isPlant, plantSchema, type Scope } from './scope.ts'

/** A prepared statement, which serves all statements of one template that agree in the literals that are no parameters. */
export interface Shape {
  /** The text of the prepared statement. */
  readonly text: string
  /** For each literal of the template: whether it is a parameter. */
  readonly isParameter: readonly boolean[]
  /** OIDs of the parameters' types; 0 lets PostgreSQL derive it, as it does for a text. */
  readonly types: readonly number[]
  /** The literals that it was made from. */
  readonly literals: readonly Literal[]
  /** Its LIMIT, if that is a number. */
  readonly limit: number | undefined
  /** Whether its statements give the same rows each time, apart from parameters that mean the current time. */
  readonly isRepeatable: boolean
  /** The number of tables and views in it, which take most of the memory of a prepared statement. */
  readonly sources: number
  /** The schema in which it finds its views: a change of the search path takes a fifth of the time of a small statement. */
  readonly searched: string
}

/** OIDs of types: unknown, int4, int8, numeric. */
const oids = { text: 0, int4: 23, int8: 20, numeric: 1700 } as const

/** A shape with more sources is not worth its memory. */
const maxSources = 20

/**
 * The shape of a statement; undefined if it cannot be prepared: a text that means the current time would keep the time
 * of the preparation.
 *
 * @param select the statement as the parser reads it
 * @param scope if it is that of an overlay, the prepared statement names its views with their schema
 */
export function shapeOf(
  statement: string,
  { literals }: Template,
  select: Fields,
  scope: Scope,
): Shape | undefined {
  const places = parameterPlaces(select)
  const isParameter = literals.map(({ start }) => places.has(start))
  const keepsTime = ({ value }: Literal, index: number) => !isParameter[index] && mayBeClock(value)
  const sources = sourcesIn(select)
  if (literals.some(keepsTime) || sources > maxSources) return undefined
  const types: number[] = []
  const parameters = literals.flatMap(({ kind, start, end }, index) =>
    isParameter[index] ? [{ start, end, text: `$${types.push(oids[kind])} ` }] : [],
  )
  const ownViews = isPlant(scope) ? undefined : placesOf(scope.own, select)
  const schemas = ownViews?.map((start) => ({ start, end: start, text: `${scope.schema}.` })) ?? []
  return {
    text: edited(statement, [...parameters, ...schemas]),
    isParameter,
    types,
    literals,
    limit: limitOf(select),
    isRepeatable: isRepeatable(select, places),
    sources,
    searched: ownViews ? plantSchema : scope.schema,
  }
}

interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

function edited(statement: string, edits: readonly Edit[]): string {
  let text = ''
  let copied = 0
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    text += statement.slice(copied, edit.start) + edit.text
    copied = edit.end
  }
  return text + statement.slice(copied)
}

/** Where a statement names these views; undefined if a name may also be that of a common table expression. */
function placesOf(views: ReadonlySet<string>, select: Fields): number[] | undefined {
  const places: number[] = []
  let hasNames = false
  walk(select, (fields) => {
    if ('ctename' in fields) hasNames = true
    if (views.has(String(fields['relname']))) places.push(Number(fields['location'] ?? 0))
  })
  return hasNames ? undefined : places
}

/** The number of tables and views that a statement names. */
function sourcesIn(select: Fields): number {
  let count = 0
  walk(select, (fields) => {
    if ('relname' in fields) count++
  })
  return count
}

/** The values of the parameters, in their order. */
export const valuesOf = ({ isParameter }: Shape, { literals }: Template): string[] =>
  literals.filter((_, index) => isParameter[index]).map(({ value }) => value)

import type { Literal, Template } from '../gate/literals.ts'
import { limitOf, parameterPlaces } from '../gate/parameters.ts'
import { isRepeatable, mayBeClock } from '../gate/repeatable.ts'
import { type Fields, walk } from '../syntax-tree.ts'
import type { Scope } from './scopes.ts'
import type { Field } from './wire.ts'

/** A prepared statement, which serves all statements of one template that agree in the literals that are no parameters. */
export interface Shape {
  /** The name of the prepared statement. */
  readonly name: string
  /** Its text. */
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
  /** Whether it names the schema of an overlay, so that the search path need not. */
  readonly isQualified: boolean
}

/** A shape that the database has prepared. */
export interface PreparedShape extends Shape {
  readonly fields: readonly Field[]
}

/** OIDs of types: unknown, int4, int8, numeric. */
const oids = { text: 0, int4: 23, int8: 20, numeric: 1700 } as const

/** Most shapes, and sources of all shapes, that are remembered; above that, all are forgotten. */
const [maxShapes, maxSources] = [256, 1500]

/** A shape with more sources is not worth its memory. */
const maxSourcesOfOne = 20

/**
 * Remembers statements that differ in literals alone. They share a prepared statement, from the first of them on, but no
 * plan: what PostgreSQL plans may depend on a constant.
 */
export class Shapes {
  readonly #shapes = new Map<string, PreparedShape | undefined>()
  #sources = 0
  #names = 0

  /** The shape of a statement with this template. */
  find({ key, literals }: Template): PreparedShape | undefined {
    const shape = this.#shapes.get(key)
    const agrees = shape?.isParameter.every(
      (isParameter, index) => isParameter || shape.literals[index]!.value === literals[index]!.value,
    )
    return agrees ? shape : undefined
  }

  /** Whether it is known that statements with this template have a shape, or that they have none. */
  knows({ key }: Template): boolean {
    return this.#shapes.has(key)
  }

  /** Whether no more shapes fit. */
  get isFull(): boolean {
    return this.#shapes.size >= maxShapes || this.#sources >= maxSources
  }

  /** @param shape undefined if statements with this template cannot be prepared */
  add({ key }: Template, shape: PreparedShape | undefined): void {
    this.#shapes.set(key, shape)
    this.#sources += shape?.sources ?? 0
  }

  forget(): void {
    this.#shapes.clear()
    this.#sources = 0
  }

  /**
   * The shape of a statement; undefined if it cannot be prepared: a text that means the current time would keep the time
   * of the preparation.
   *
   * @param select the statement as the parser reads it
   * @param scope the schema of an overlay and its views, which the prepared statement names with their schema
   */
  shapeOf(
    statement: string,
    { literals }: Template,
    select: Fields,
    scope?: Pick<Scope, 'schema' | 'own'>,
  ): Shape | undefined {
    const places = parameterPlaces(select)
    const isParameter = literals.map(({ start }) => places.has(start))
    const keepsTime = ({ value }: Literal, index: number) => !isParameter[index] && mayBeClock(value)
    const sources = sourcesIn(select)
    if (literals.some(keepsTime) || sources > maxSourcesOfOne) return undefined
    const types: number[] = []
    const parameters = literals.flatMap(({ kind, start, end }, index) =>
      isParameter[index] ? [{ start, end, text: `$${types.push(oids[kind])} ` }] : [],
    )
    const ownViews = scope && placesOf(scope.own, select)
    const schemas = ownViews?.map((start) => ({ start, end: start, text: `${scope!.schema}.` })) ?? []
    return {
      name: `s${(this.#names += 1)}`,
      text: edited(statement, [...parameters, ...schemas]),
      isParameter,
      types,
      literals,
      limit: limitOf(select),
      isRepeatable: isRepeatable(select, places),
      sources,
      isQualified: ownViews !== undefined,
    }
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

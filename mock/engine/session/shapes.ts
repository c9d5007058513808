import type { Literal, Template } from '../../gate/literals.ts'
import { limitOf, parameterPlaces } from '../../gate/parameters.ts'
import { isRepeatable, mayBeClock } from '../../gate/repeatable.ts'
import { type Fields, walk } from '../../syntax-tree.ts'
import { isPlant, plantSchema, type Scope } from './scope.ts'
import type { Admission } from '../../gate/gate.ts'
import type { Database } from './database.ts'
import { backend, concat, type Field, frontend, MessageReader, readFields } from '../result/wire.ts'

/** A prepared statement, which serves all statements of one template that agree in the literals that are no parameters. */
interface Shape {
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

/** A shape that the database has prepared. */
export interface PreparedShape extends Shape {
  /** The name of the prepared statement. */
  readonly name: string
  readonly fields: readonly Field[]
}

/** Most shapes, and sources of all shapes, that are remembered; above that, all are forgotten. */
const [maxShapes, maxSourcesOfAll] = [256, 1500]

/**
 * Remembers statements that differ in literals alone. They share a prepared statement, from the first of them on, but no
 * plan: what PostgreSQL plans may depend on a constant.
 */
export class Shapes {
  readonly #database: Database
  readonly #shapes = new Map<string, PreparedShape | undefined>()
  #sources = 0
  #names = 0

  constructor(database: Database) {
    this.#database = database
  }

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

  /** Prepares the shape of a statement for those that follow. @returns undefined if it cannot be prepared */
  async prepare(
    template: Template,
    { text, select }: Admission,
    scope: Scope,
  ): Promise<PreparedShape | undefined> {
    if (this.#shapes.size >= maxShapes || this.#sources >= maxSourcesOfAll) await this.forget()
    const shape = shapeOf(text, template, select, scope)
    const prepared = shape && (await this.#prepare(shape))
    this.#shapes.set(template.key, prepared)
    this.#sources += prepared?.sources ?? 0
    return prepared
  }

  async #prepare(shape: Shape): Promise<PreparedShape | undefined> {
    const name = `s${(this.#names += 1)}`
    let fields: readonly Field[] | undefined
    const reader = new MessageReader((type, bytes, start, end) => {
      if (type === backend.rowDescription) fields = readFields(bytes, start, end)
    })
    const prepare = concat(
      ...this.#database.searchIn(shape.searched),
      frontend.parse(shape.text, name, shape.types),
      frontend.describeStatement(name),
      frontend.sync(),
    )
    await this.#database.exchange(prepare, reader)
    return fields && { ...shape, name, fields }
  }

  /** Prepared statements know their tables and views, so they must not outlive a change of either. */
  async forget(): Promise<void> {
    this.#shapes.clear()
    this.#sources = 0
    await this.#database.exec('DEALLOCATE ALL')
  }
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
function shapeOf(statement: string, { literals }: Template, select: Fields, scope: Scope): Shape | undefined {
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

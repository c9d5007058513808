import type { Literal, Template } from '../gate/literals.ts'
import { limitOf, parameterPlaces } from '../gate/parameters.ts'
import { isRepeatable, mayBeClock } from '../gate/repeatable.ts'
import { type Fields, walk } from '../syntax-tree.ts'
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
 * Remembers statements that differ in literals alone. They share a prepared statement, from the first of them on: all
 * have the same plan, so a statement returns its rows in the same order each time.
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
   */
  shapeOf(statement: string, { literals }: Template, select: Fields): Shape | undefined {
    const places = parameterPlaces(select)
    const isParameter = literals.map(({ start }) => places.has(start))
    const keepsTime = ({ value }: Literal, index: number) => !isParameter[index] && mayBeClock(value)
    const sources = sourcesIn(select)
    if (literals.some(keepsTime) || sources > maxSourcesOfOne) return undefined
    let text = ''
    let copied = 0
    const types: number[] = []
    for (const [index, { kind, start, end }] of literals.entries()) {
      if (!isParameter[index]) continue
      types.push(oids[kind])
      text += `${statement.slice(copied, start)}$${types.length} `
      copied = end
    }
    return {
      name: `s${(this.#names += 1)}`,
      text: text + statement.slice(copied),
      isParameter,
      types,
      literals,
      limit: limitOf(select),
      isRepeatable: isRepeatable(select, places),
      sources,
    }
  }
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

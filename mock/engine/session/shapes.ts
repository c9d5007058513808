import type { Admission } from '../../gate/gate.ts'
import type { Template } from '../../gate/literals.ts'
import type { Database } from './database.ts'
import type { Scope } from './scope.ts'
import { type Shape, shapeOf } from './shape.ts'
import { backend, concat, type Field, frontend, MessageReader, readFields } from '../result/wire.ts'

/** A shape that the database has prepared. */
export interface PreparedShape extends Shape {
  /** The name of the prepared statement. */
  readonly name: string
  readonly fields: readonly Field[]
}

/** Most shapes, and sources of all shapes, that are remembered; above that, all are forgotten. */
const [maxShapes, maxSources] = [256, 1500]

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
    if (this.#shapes.size >= maxShapes || this.#sources >= maxSources) await this.forget()
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

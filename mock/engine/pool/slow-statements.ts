import { kindOf as wholeKindOf } from '../../statement-kind.ts'

/** Most kinds of statements, and exceptions from them, that are remembered. */
const maxKinds = 1000

/**
 * Remembers which statements were slow, so that they leave an engine free for others from their start. Statements that differ
 * in numbers and quoted texts alone are of one kind. A kind that was slow for one owner is expected to be slow for all, until
 * it was short for them: otherwise each owner's first statement of each kind would cost an engine.
 */
export class SlowStatements {
  readonly #kinds = new Set<string>()
  /** Owners and kinds that were short for them. */
  readonly #exceptions = new Set<string>()

  /** A function that tells whether a statement of this owner is expected to be slow by now. */
  watch(owner: string, statement: string): () => boolean {
    let kind: string | undefined
    return () =>
      this.#kinds.size > 0 &&
      this.#kinds.has((kind ??= kindOf(statement))) &&
      !this.#exceptions.has(exceptionOf(owner, kind))
  }

  /** A statement of this owner was slow. */
  add(owner: string, statement: string): void {
    const kind = kindOf(statement)
    if (this.#kinds.size >= maxKinds) this.#kinds.clear()
    this.#kinds.add(kind)
    this.#exceptions.delete(exceptionOf(owner, kind))
  }

  /** A statement of this owner that was expected to be slow was short. */
  except(owner: string, statement: string): void {
    if (this.#exceptions.size >= maxKinds) this.#exceptions.clear()
    this.#exceptions.add(exceptionOf(owner, kindOf(statement)))
  }
}

const exceptionOf = (owner: string, kind: string): string => `${owner}\0${kind}`

const kindOf = (statement: string): string => wholeKindOf(statement.slice(0, 2000))

/** Most kinds of statements that are remembered. */
const maxKinds = 1000

/**
 * Remembers which statements of an owner were slow, so that they leave an engine free for others from their start. Statements
 * that differ in numbers and quoted texts alone are of one kind.
 */
export class SlowStatements {
  readonly #kinds = new Set<string>()

  /** A function that tells whether a statement of this owner is known to be slow by now. */
  watch(owner: string, statement: string): () => boolean {
    let kind: string | undefined
    return () => this.#kinds.size > 0 && this.#kinds.has((kind ??= kindOf(owner, statement)))
  }

  add(owner: string, statement: string): void {
    if (this.#kinds.size >= maxKinds) this.#kinds.clear()
    this.#kinds.add(kindOf(owner, statement))
  }

  delete(owner: string, statement: string): void {
    this.#kinds.delete(kindOf(owner, statement))
  }
}

/** An exact reading of the literals is not needed: a wrong one only makes two kinds of one, or one of two. */
const kindOf = (owner: string, statement: string): string =>
  `${owner}\0${statement.slice(0, 2000).replaceAll(/'[^']*'|\d+/g, '?')}`

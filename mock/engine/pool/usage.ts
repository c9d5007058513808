/** Used time counts half after this time, in milliseconds. */
const halfLifeMs = 5_000

/** Most owners that are remembered. */
const maxOwners = 1000

interface Used {
  ms: number
  at: number
}

/** The time for which each owner of statements used the engines lately. */
export class Usage {
  readonly #used = new Map<string, Used>()

  /** Milliseconds, of which older ones count less. */
  of(owner: string): number {
    const used = this.#used.get(owner)
    return used ? used.ms * 0.5 ** ((performance.now() - used.at) / halfLifeMs) : 0
  }

  add(owner: string, ms: number): void {
    const before = this.of(owner)
    // set anew, so that the first entry is the one that was not used for the longest time
    this.#used.delete(owner)
    this.#used.set(owner, { ms: before + ms, at: performance.now() })
    if (this.#used.size > maxOwners) this.#used.delete(this.#used.keys().next().value!)
  }
}

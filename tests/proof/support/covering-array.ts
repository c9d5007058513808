/** The position of a value for each factor. */
export type Row = readonly number[]

/**
 * Rows that together contain every pair of values of two factors. Greedy and deterministic: each row starts with a
 * missing pair, and each further factor takes the value that is in the most missing pairs. A single factor has no pairs:
 * each of its values gets a row.
 *
 * @param sizes the number of values of each factor, at least one
 */
export function coveringArray(sizes: readonly number[]): Row[] {
  if (sizes.length === 1) return Array.from({ length: sizes[0]! }, (_, value) => [value])
  const missing = new MissingPairs(sizes)
  const rows: Row[] = []
  for (let pair = missing.next(); pair !== undefined; pair = missing.next()) {
    const row: (number | undefined)[] = sizes.map(() => undefined)
    for (const { factor, value } of pair) row[factor] = value
    for (const [factor, size] of sizes.entries()) {
      if (row[factor] !== undefined) continue
      const gains = Array.from({ length: size }, (_, value) => missing.gain(row, factor, value))
      row[factor] = gains.indexOf(Math.max(...gains))
    }
    missing.cover(row as Row)
    rows.push(row as Row)
  }
  return rows
}

interface Choice {
  readonly factor: number
  readonly value: number
}

/** The pairs that no row contains yet. */
class MissingPairs {
  readonly #offsets: readonly number[]
  readonly #total: number
  readonly #choices: readonly Choice[]
  /** Keys made of the numbers of two choices, the smaller first. */
  readonly #missing: Set<number>
  /** The number of missing pairs of each choice. */
  readonly #left: number[]

  constructor(sizes: readonly number[]) {
    this.#choices = sizes.flatMap((size, factor) =>
      Array.from({ length: size }, (_, value) => ({ factor, value })),
    )
    this.#total = this.#choices.length
    this.#offsets = sizes.map((_, factor) => this.#choices.findIndex((choice) => choice.factor === factor))
    this.#left = this.#choices.map(() => 0)
    this.#missing = new Set()
    for (const [a, one] of this.#choices.entries())
      for (const [b, other] of this.#choices.entries())
        if (one.factor < other.factor) {
          this.#missing.add(a * this.#total + b)
          this.#left[a]! += 1
          this.#left[b]! += 1
        }
  }

  /** A missing pair. */
  next(): readonly [Choice, Choice] | undefined {
    const [pair] = this.#missing
    if (pair === undefined) return undefined
    return [this.#choices[Math.floor(pair / this.#total)]!, this.#choices[pair % this.#total]!]
  }

  /** The gain of a row from a value: one for each missing pair it adds, and less than one for all its missing pairs. */
  gain(row: readonly (number | undefined)[], factor: number, value: number): number {
    const choice = this.#offsets[factor]! + value
    let gain = this.#left[choice]! / (this.#total * this.#total)
    for (const [other, its] of row.entries())
      if (its !== undefined && this.#missing.has(this.#pair(choice, this.#offsets[other]! + its))) gain += 1
    return gain
  }

  cover(row: Row): void {
    const choices = row.map((value, factor) => this.#offsets[factor]! + value)
    for (const [at, a] of choices.entries())
      for (const b of choices.slice(at + 1))
        if (this.#missing.delete(this.#pair(a, b))) {
          this.#left[a]! -= 1
          this.#left[b]! -= 1
        }
  }

  #pair(a: number, b: number): number {
    return Math.min(a, b) * this.#total + Math.max(a, b)
  }
}

/** Random choices, reproducible by a seed. */
export interface Random {
  /** From 0 to 1, exclusive. */
  next(): number
  /** An integer from `from` to `to`, inclusive. */
  whole(from: number, to: number): number
  chance(probability: number): boolean
  pick<T>(items: readonly T[]): T
  /** `count` different items in the order of the list; all items if there are fewer. */
  some<T>(items: readonly T[], count: number): T[]
  /** An item of each of `count` parts of the list that are equally long; all items if there are fewer. */
  spread<T>(items: readonly T[], count: number): T[]
}

/** The seed of what a run sends: every run sends the same for the same rows. */
export const SEED = 1

/** A seeded generator: the same seed makes the same statements on every platform. */
export function randomOf(seed: number): Random {
  let state = seed | 0
  // splitmix32: neighbouring seeds are independent
  const next = (): number => {
    state = (state + 0x9e3779b9) | 0
    let mixed = state ^ (state >>> 16)
    mixed = Math.imul(mixed, 0x21f0aaad)
    mixed ^= mixed >>> 15
    mixed = Math.imul(mixed, 0x735a2d97)
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32
  }
  const whole = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1))
  return {
    next,
    whole,
    chance: (probability) => next() < probability,
    pick: (items) => items[whole(0, items.length - 1)]!,
    some(items, count) {
      const indexes = new Set<number>()
      while (indexes.size < Math.min(count, items.length)) indexes.add(whole(0, items.length - 1))
      return [...indexes].sort((a, b) => a - b).map((index) => items[index]!)
    },
    spread(items, count) {
      const size = Math.max(1, items.length / count)
      return Array.from(
        { length: Math.min(count, items.length) },
        (_, part) => items[whole(Math.ceil(part * size), Math.ceil((part + 1) * size) - 1)]!,
      )
    },
  }
}

/** Most owners whose position is known by itself. */
const maxOwners = 10_000

/** Positions are on pages of this many bytes; the header of a page is at most this long, and contains no change. */
const [pageSize, longestHeader] = [8192n, 40n]

/**
 * How far in the log of the database each owner of statements has seen. A statement of an owner must not be answered by a host that is
 * not as far: its deltas would go backwards.
 */
export class SeenPositions {
  readonly #seen = new Map<string, bigint>()
  /** Holds for every owner: the furthest of those that were forgotten. */
  #floor = 0n

  /** The least position of a host that may answer the owner. */
  of(owner: string): bigint {
    const own = this.#seen.get(owner) ?? 0n
    return own > this.#floor ? own : this.#floor
  }

  /** Takes note of a position that the owner has seen at most. */
  add(owner: string, bytes: bigint): void {
    const seen = withoutHeader(bytes)
    if (seen <= this.of(owner)) return
    this.#seen.delete(owner)
    this.#seen.set(owner, seen)
    if (this.#seen.size <= maxOwners) return
    const [oldest, position] = this.#seen.entries().next().value!
    this.#seen.delete(oldest)
    if (position > this.#floor) this.#floor = position
  }
}

/**
 * A primary that has filled a page gives the position behind the header of the next one, which a standby reaches only
 * with the next change.
 */
function withoutHeader(bytes: bigint): bigint {
  const inPage = bytes % pageSize
  return inPage <= longestHeader ? bytes - inPage : bytes
}

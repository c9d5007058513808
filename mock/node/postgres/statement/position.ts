import { RunAgain } from '../errors.ts'

/** How far a host has replayed the log of the database, or written it if it is the primary. */
export interface Position {
  readonly inRecovery: boolean
  readonly bytes: bigint
}

/** Two columns of SQL, which {@link positionOf} reads. */
export const positionColumns = `pg_is_in_recovery(), (CASE WHEN pg_is_in_recovery()
  THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_insert_lsn() END - '0/0')::int8`

export const positionOf = ([inRecovery, bytes]: readonly unknown[]): Position => ({
  inRecovery: inRecovery === 't' || inRecovery === true,
  bytes: BigInt((bytes as string | null) ?? 0),
})

/** A standby has not replayed what clients have seen. */
export class TooEarly extends RunAgain {
  override readonly name = 'TooEarly'
}

/** Positions are on pages of this many bytes; the header of a page is at most this long, and contains no change. */
const [pageSize, longestHeader] = [8192n, 40n]

/** How far in the log clients have seen. A host that is not as far must not answer: their deltas would go backwards. */
export class SeenPosition {
  #bytes = 0n

  /** @throws TooEarly */
  check({ inRecovery, bytes }: Position): void {
    // what a primary lacks was lost when another host became the primary
    if (inRecovery && bytes < this.#bytes)
      throw new TooEarly('No host of the database has all that was seen before.')
  }

  /**
   * Takes note of a position that a client has seen at most. A primary that has filled a page gives the position behind the
   * header of the next one, which a standby reaches only with the next change.
   */
  add({ bytes }: Position): void {
    const inPage = bytes % pageSize
    const seen = inPage <= longestHeader ? bytes - inPage : bytes
    if (seen > this.#bytes) this.#bytes = seen
  }
}

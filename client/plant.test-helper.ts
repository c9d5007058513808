import { instantOf } from './rows/instant.ts'
import { failure, rows } from './service.test-helper.ts'

/** A row of the fake plant; `stored` is its time in microseconds. */
export interface Stored {
  readonly id: string
  readonly stored: string
  readonly value?: number
}

export interface PlantOptions {
  /** Prints a stored time. Default: unchanged. */
  readonly print?: (stored: string) => string
  /** The most rows of an answer; truncates silently. */
  readonly cap?: number
}

const time = (text: string) => instantOf(text)!.nanos

/**
 * A service over rows that change. Answers `last_updated_at >` and pages with ORDER BY and a row comparison; compares stored
 * times in nanoseconds. Shuffles rows without ORDER BY, as the contract allows.
 */
export function plant(stored: Stored[], { print = (text) => text, cap = Infinity }: PlantOptions = {}) {
  const compare = (a: Stored, b: Stored) =>
    time(a.stored) === time(b.stored)
      ? a.id < b.id
        ? -1
        : Number(a.id > b.id)
      : Number(time(a.stored) - time(b.stored))
  const answer = (statement: string): Response => {
    const [, from, key, order, limit] =
      /^SELECT (?:\*|[\w, ]+) FROM \w+(?: WHERE last_updated_at >=? '([^']*)'| WHERE \(last_updated_at, id\) >= \(([^)]*)\))?( ORDER BY last_updated_at, id)?(?: LIMIT (\d+))?$/.exec(
        statement,
      ) ?? [undefined]
    if (/ WHERE /.test(statement) && from === undefined && key === undefined) return failure(statement)
    const [keyTime, keyId] = key?.split(', ').map((text) => text.slice(1, -1)) ?? []
    const strict = /last_updated_at > /.test(statement)
    const found = stored.filter((row) => {
      if (from !== undefined) return strict ? time(row.stored) > time(from) : time(row.stored) >= time(from)
      return keyTime === undefined || compare(row, { id: keyId!, stored: keyTime }) >= 0
    })
    const ordered = order ? found.toSorted(compare) : found.toSorted(() => Math.random() - 0.5)
    return rows(
      ordered.slice(0, Math.min(Number(limit ?? Infinity), cap)).map(({ id, stored, value = 0 }) => ({
        id,
        external_id: `x${value}`,
        last_updated_at: print(stored),
      })),
    )
  }
  return answer
}

/** `at(5)`, `at(5.000001)`: seconds after eight, printed with microseconds. */
export const at = (seconds: number): string =>
  `2025-12-01T08:${String(Math.floor(seconds / 60)).padStart(2, '0')}:${(seconds % 60).toFixed(6).padStart(9, '0')}+00:00`

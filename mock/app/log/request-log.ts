import type { LoggedStatement, StatementLog } from './statement-log.ts'
import { Arrivals, type Awaited } from './arrivals.ts'

/** One request of the statement endpoint, as `/_mock/requests` shows it. */
export interface LoggedRequest extends LoggedStatement {
  /** Counts up from 1. */
  readonly id: number
  /** When it ended, ISO 8601. */
  readonly at: string
}

/**
 * Keeps only the latest requests: a server that runs for weeks must not grow. At most a fifth of them have no statement, as
 * those that are refused for their token.
 */
export class RequestLog {
  readonly #capacity: number
  readonly #entries: LoggedRequest[] = []
  readonly #arrivals = new Arrivals()
  #lastId = 0

  constructor(capacity = 500) {
    this.#capacity = capacity
  }

  add(entry: LoggedStatement, at = new Date().toISOString()): void {
    this.#entries.push({ id: ++this.#lastId, at, ...entry })
    const stranger = isStranger(entry) ? this.#strangerBeyond() : -1
    if (stranger >= 0) this.#entries.splice(stranger, 1)
    else if (this.#entries.length > this.#capacity) this.#entries.shift()
    this.#arrivals.tell()
  }

  /** The oldest request without a statement, if they are more than a fifth: strangers must not drop the others. */
  #strangerBeyond(): number {
    const count = this.#entries.filter(isStranger).length
    return count > this.#capacity / 5 ? this.#entries.findIndex(isStranger) : -1
  }

  clear(): void {
    this.#entries.length = 0
  }

  /** The requests kept, oldest first. */
  entries(): readonly LoggedRequest[] {
    return this.#entries
  }

  /** Waits for requests that match. @returns those that are kept then, perhaps fewer */
  wait(matches: (entry: LoggedRequest) => boolean, awaited: Awaited): Promise<LoggedRequest[]> {
    return this.#arrivals.until(() => this.#entries.filter(matches), awaited)
  }

  /**
   * The kept requests after the given one, then every further request until the signal aborts. A slow reader misses
   * requests that were dropped meanwhile.
   *
   * @param after id of the last known request; an unknown id counts as none
   */
  async *follow(after: number, signal: AbortSignal): AsyncGenerator<LoggedRequest> {
    let last = after <= this.#lastId ? after : 0
    while (!signal.aborted) {
      const next = this.#entries.find(({ id }) => id > last)
      if (next) {
        last = next.id
        yield next
      } else await this.#arrivals.next(signal)
    }
  }
}

const isStranger = ({ statement }: StatementLog): boolean => statement === undefined

import type { LoggedStatement, StatementLog } from '../log/statement-log.ts'

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
  readonly #wake = new Set<() => void>()
  #lastId = 0

  constructor(capacity = 500) {
    this.#capacity = capacity
  }

  add(entry: LoggedStatement, at = new Date().toISOString()): void {
    this.#entries.push({ id: ++this.#lastId, at, ...entry })
    const stranger = isStranger(entry) ? this.#strangerBeyond() : -1
    if (stranger >= 0) this.#entries.splice(stranger, 1)
    else if (this.#entries.length > this.#capacity) this.#entries.shift()
    for (const wake of this.#wake) wake()
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

  /**
   * Waits until a number of requests match, the time is over or the signal aborts.
   *
   * @returns those that match
   */
  async wait(
    matches: (entry: LoggedRequest) => boolean,
    { count, withinMs, signal }: { count: number; withinMs: number; signal: AbortSignal },
  ): Promise<LoggedRequest[]> {
    const over = new AbortController()
    // keeps the process alive, which AbortSignal.timeout does not
    const timer = setTimeout(() => over.abort(), withinMs)
    const ended = AbortSignal.any([signal, over.signal])
    try {
      for (;;) {
        const found = this.#entries.filter(matches)
        if (found.length >= count || ended.aborted) return found
        await this.#changed(ended)
      }
    } finally {
      clearTimeout(timer)
    }
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
      } else await this.#changed(signal)
    }
  }

  #changed(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        this.#wake.delete(wake)
        signal.removeEventListener('abort', wake)
        resolve()
      }
      this.#wake.add(wake)
      signal.addEventListener('abort', wake)
    })
  }
}

const isStranger = ({ statement }: StatementLog): boolean => statement === undefined

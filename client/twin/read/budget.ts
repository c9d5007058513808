/** The requests, the rows, the bytes or the time of the budget are used up. */
export class BudgetSpent extends Error {
  override name = 'BudgetSpent'
}

export interface BudgetOptions {
  /** Most requests to send. */
  readonly maxRequests: number
  /** Most rows to receive. */
  readonly maxRows: number
  /** Most bytes to receive, decompressed. Default: 1 GiB. */
  readonly maxBytes?: number | undefined
  /** The longest time in milliseconds, in which a request that is not answered ends too. Default: two hours. */
  readonly maxDurationMs?: number | undefined
}

const MOST_BYTES = 1024 ** 3
const MOST_MS = 2 * 60 * 60_000

/** Counts what a recording costs the service. */
export class Budget {
  readonly #most: Readonly<Record<keyof BudgetOptions, number>>
  readonly #startedMs = performance.now()
  #bytes = 0
  #spent: BudgetSpent | undefined
  requests = 0
  rows = 0

  constructor({ maxRequests, maxRows, maxBytes = MOST_BYTES, maxDurationMs = MOST_MS }: BudgetOptions) {
    this.#most = { maxRequests, maxRows, maxBytes, maxDurationMs }
  }

  /** Counts a request before it is sent. @throws BudgetSpent if none is left, or bytes or time are used up */
  countRequest(): void {
    this.checkTime(0)
    if (this.#spent !== undefined) throw this.#spent
    if (this.requestsLeft <= 0)
      throw new BudgetSpent(`The budget of ${this.#most.maxRequests} requests is spent (--max-requests).`)
    this.requests++
  }

  /** Counts bytes that arrived. @throws BudgetSpent if they are too many */
  countBytes(bytes: number): void {
    this.#bytes += bytes
    const { maxBytes } = this.#most
    if (this.#bytes > maxBytes) this.#spend(`The budget of ${maxBytes} bytes is spent (--max-bytes).`)
  }

  /** @throws BudgetSpent if a wait would last beyond the time of the budget */
  checkTime(waitMs: number): void {
    if (waitMs > this.msLeft)
      this.#spend(`The budget of ${Math.round(this.#most.maxDurationMs / 1000)} s is spent (--max-duration).`)
  }

  /** Nothing more is sent: a service that is to be left alone for longer gets no statements about other views. */
  #spend(reason: string): never {
    this.#spent = new BudgetSpent(reason)
    throw this.#spent
  }

  get msLeft(): number {
    return this.#most.maxDurationMs - (performance.now() - this.#startedMs)
  }

  get requestsLeft(): number {
    return this.#most.maxRequests - this.requests
  }

  /** Rows that may still be asked for. @throws BudgetSpent if none are left */
  rowsLeft(): number {
    const left = this.#most.maxRows - this.rows
    if (left <= 0) throw new BudgetSpent(`The budget of ${this.#most.maxRows} rows is spent (--max-rows).`)
    return left
  }
}

/** The requests or the rows of the budget are used up. */
export class BudgetSpent extends Error {
  override name = 'BudgetSpent'
}

export interface BudgetOptions {
  /** Most requests to send. */
  readonly maxRequests: number
  /** Most rows to receive. */
  readonly maxRows: number
}

/** Counts what a recording costs the service. */
export class Budget {
  readonly #most: BudgetOptions
  requests = 0
  rows = 0

  constructor(most: BudgetOptions) {
    this.#most = most
  }

  /** Counts a request before it is sent. @throws BudgetSpent if none is left */
  countRequest(): void {
    if (this.requestsLeft <= 0)
      throw new BudgetSpent(`the budget of ${this.#most.maxRequests} requests is spent (--max-requests)`)
    this.requests++
  }

  get requestsLeft(): number {
    return this.#most.maxRequests - this.requests
  }

  /** Rows that may still be asked for. @throws BudgetSpent if none are left */
  rowsLeft(): number {
    const left = this.#most.maxRows - this.rows
    if (left <= 0) throw new BudgetSpent(`the budget of ${this.#most.maxRows} rows is spent (--max-rows)`)
    return left
  }
}

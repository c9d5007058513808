/** Maximum number of renewals in a run: enough for tokens with a lifetime of one minute. */
const MOST_RENEWALS = 30

/** The bearer token of a run, and its renewal. */
export class Tokens {
  /** The current token; null sends none. */
  current: string | null
  readonly #renew: ((signal: AbortSignal) => Promise<string>) | undefined
  readonly #onToken: (token: string) => void
  #renewing: Promise<void> | undefined
  /** Number of fetched tokens. */
  renewals = 0
  /** Why fetching a token failed; undefined if it did not. */
  failure: string | undefined

  /** @param onToken receives every token before its first use, so that no report contains it */
  constructor(
    token: string | null,
    renew: ((signal: AbortSignal) => Promise<string>) | undefined,
    onToken: (token: string) => void,
  ) {
    this.current = token
    this.#renew = renew
    this.#onToken = onToken
    if (token !== null) onToken(token)
  }

  /** Whether {@link renew} fetches a token. */
  get renewable(): boolean {
    return this.#renew !== undefined && this.failure === undefined && this.renewals < MOST_RENEWALS
  }

  /**
   * Replaces a refused token and returns whether the current token is another one. Concurrent calls share one fetch. A
   * call with an older token does not fetch.
   *
   * @param signal aborts when the run ends
   */
  async renew(refused: string, signal: AbortSignal): Promise<boolean> {
    if (this.current === refused)
      await (this.#renewing ??= this.#fetch(signal).finally(() => (this.#renewing = undefined)))
    return this.current !== refused
  }

  async #fetch(signal: AbortSignal): Promise<void> {
    if (!this.#renew || !this.renewable) return
    this.renewals++
    try {
      const token = await this.#renew(signal)
      this.#onToken(token)
      this.current = token
    } catch (error) {
      if (!signal.aborted) this.failure = error instanceof Error ? error.message : String(error)
    }
  }
}

/** Renewals in a run: enough for tokens that live a minute, few enough not to trouble an identity provider. */
const MOST_RENEWALS = 30

/** The bearer token of a run, and how to get the next one. */
export class Tokens {
  /** The current token; null sends none. */
  current: string | null
  readonly #renew: (() => Promise<string>) | undefined
  readonly #onToken: (token: string) => void
  #renewing: Promise<void> | undefined
  /** How often a new one was fetched. */
  renewals = 0
  /** Why fetching a new one failed, if it did. */
  failure: string | undefined

  /** @param onToken receives every token before it is used, so that no report shows one. */
  constructor(
    token: string | null,
    renew: (() => Promise<string>) | undefined,
    onToken: (token: string) => void,
  ) {
    this.current = token
    this.#renew = renew
    this.#onToken = onToken
    if (token !== null) onToken(token)
  }

  /**
   * Whether there is another token than the one that was refused. It is fetched once for all who ask at the
   * same time; whoever asks later with an old one gets the one that was fetched meanwhile.
   */
  async renew(refused: string): Promise<boolean> {
    if (this.current === refused)
      await (this.#renewing ??= this.#fetch().finally(() => (this.#renewing = undefined)))
    return this.current !== refused
  }

  async #fetch(): Promise<void> {
    if (!this.#renew || this.failure !== undefined || this.renewals >= MOST_RENEWALS) return
    this.renewals++
    try {
      const token = await this.#renew()
      this.#onToken(token)
      this.current = token
    } catch (error) {
      this.failure = error instanceof Error ? error.message : String(error)
    }
  }
}

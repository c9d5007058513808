import { contract } from '../schemas/contract.ts'
import type { Profile } from '../schemas/generated/types.ts'
import { ClientUsageError } from './errors.ts'
import type { DateLiteral } from './literals.ts'

export interface ClientOptions {
  /** The URL without the endpoint path: `https://data.example.org`, or in a browser a path such as `/plant-1`. */
  readonly baseUrl: string
  /** The access token, or a function that returns the current one; called before every request. */
  readonly token: string | (() => string | Promise<string>)
  /** Default: the global `fetch` at the time of the request. */
  readonly fetch?: typeof globalThis.fetch
  /** Additional headers of every request. */
  readonly headers?: Readonly<Record<string, string>>
  /** The longest wait for a complete answer, in milliseconds. Default: none; the service has a limit of 30 s. */
  readonly timeout?: number
  /**
   * The most retries of a statement after no answer, a 429 or a 503. Waits as Retry-After says, up to 30 s. Never retries a
   * 504. Default: 0.
   */
  readonly retries?: number
  /**
   * The profile of the service, as `conformance --profile-out` records it. The client then asks in the way that the service
   * needs: spellings of dates, named columns, two reads instead of a join, documented statements only.
   */
  readonly profile?: Profile
  /** The form of date literals that the service accepts (open point delta.literal). Default: the profile's, or `as-given`. */
  readonly dateLiteral?: DateLiteral
  /** Checks every row of a view against its schema; an invalid row is an {@link UnexpectedAnswer}. Default: false. */
  readonly validate?: boolean
  /** Parses a body, such as a parser that keeps integers beyond 2^53. Default: `JSON.parse`. */
  readonly parse?: (text: string) => unknown
}

/**
 * The URL of the endpoint.
 *
 * @throws ClientUsageError for an invalid base URL
 */
export function endpointOf(baseUrl: string): string {
  const { path } = contract.endpoint
  const isPath = /^\/(?!\/)/.test(baseUrl)
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined
  if (!isPath && !(url && /^https?:$/.test(url.protocol)))
    throw wrong('Write https://data.example.org, or a path of this origin: /plant-1.')
  if (url?.username || url?.password) throw wrong('Remove the user name and the password; give a token.')
  if (/[?#]/.test(baseUrl)) throw wrong('Remove the query and the fragment.')
  const base = baseUrl.replace(/\/+$/, '')
  if (`${base}/`.endsWith(path)) throw wrong(`Remove the endpoint path ${path}.`)
  return base + path
}

/** Does not repeat the URL, which may have a password. */
const wrong = (remedy: string) => new ClientUsageError(`The base URL cannot be used. ${remedy}`)

/** @throws ClientUsageError for an invalid timeout or retries */
export function checkNumbers({ timeout, retries }: ClientOptions): void {
  if (timeout !== undefined && !(timeout > 0))
    throw new ClientUsageError(
      `timeout is ${timeout}. Give a number of milliseconds above 0, or leave it out.`,
    )
  if (retries !== undefined && !(Number.isInteger(retries) && retries >= 0))
    throw new ClientUsageError(`retries is ${retries}. Give a whole number, or leave it out for no retries.`)
}

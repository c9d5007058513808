import { contract } from '../schemas/contract.ts'
import { ClientError } from './errors.ts'
import type { DateLiteral } from './literals.ts'

export interface ClientOptions {
  /** Where the endpoint's path is added to: `https://data.example.org`, or a path of one's own origin, `/plant-1`. */
  readonly baseUrl: string
  /** The access token (Authentication, rule 1), or what gives a current one; asked before every request. */
  readonly token: string | (() => string | Promise<string>)
  /** Default: the global one of the moment. */
  readonly fetch?: typeof globalThis.fetch
  /** Further headers of every request. */
  readonly headers?: Readonly<Record<string, string>>
  /** Longest wait for a whole answer, in milliseconds. Default: none, the service has its own limit of 30 s. */
  readonly timeout?: number
  /**
   * How often a statement is sent again that got no answer, a 429 or a 503. Retry-After is kept, up to 30 s. A 504 is
   * never sent again. Default: 0.
   */
  readonly retries?: number
  /** How the service wants a date literal written (not documented, NS-56). Default: as the timestamp is given. */
  readonly dateLiteral?: DateLiteral
  /** Reads a body, for instance one that keeps integers beyond 2^53. Default: `JSON.parse`. */
  readonly parse?: (text: string) => unknown
}

/**
 * The address of the endpoint.
 *
 * @throws ClientError for a base URL that is none
 */
export function endpointOf(baseUrl: string): string {
  const { path } = contract.endpoint
  const wrong = (remedy: string) => new ClientError(`"${baseUrl}" is not a base URL. ${remedy}`)
  const isPath = /^\/(?!\/)/.test(baseUrl)
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined
  if (!isPath && !(url && /^https?:$/.test(url.protocol)))
    throw wrong('Write it as https://data.example.org, or as a path of the own origin: /plant-1.')
  if (url?.username || url?.password) throw wrong('Leave user name and password out and give a token.')
  if (/[?#]/.test(baseUrl)) throw wrong('Leave the query and the fragment out.')
  const base = baseUrl.replace(/\/+$/, '')
  if (`${base}/`.endsWith(path)) throw wrong(`Leave the path of the endpoint out: ${path}.`)
  return base + path
}

/** @throws ClientError for numbers that are none */
export function checkNumbers({ timeout, retries }: ClientOptions): void {
  if (timeout !== undefined && !(timeout > 0))
    throw new ClientError(`timeout is ${timeout}. Give milliseconds above 0, or leave it out.`)
  if (retries !== undefined && !(Number.isInteger(retries) && retries >= 0))
    throw new ClientError(`retries is ${retries}. Give a whole number, or leave it out for none.`)
}

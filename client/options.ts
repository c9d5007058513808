import { checkServiceOptions, type OptionTypes } from '../base/check-options.ts'
import { contract } from '../schemas/contract.ts'
import type { Profile } from '../schemas/generated/types.ts'
import { isDateNotation } from '../schemas/reading/date-literals.ts'
import { ClientUsageError } from './errors.ts'
import type { DateLiteral } from './literals.ts'

export interface ClientOptions {
  /** The URL without the endpoint path: `https://data.example.org`, or in a browser a path such as `/plant-1`. */
  readonly baseUrl: string
  /** The access token, or a function that returns the current one; called before every request. */
  readonly token: string | (() => string | Promise<string>)
  /** Default: the global `fetch` at the time of the request. */
  readonly fetch?: typeof globalThis.fetch
  /** Additional headers of every request. `authorization` and `content-type` are the client's, in any letter case. */
  readonly headers?: Readonly<Record<string, string>>
  /**
   * The longest wait for the token and a complete answer, in milliseconds; Infinity for no limit. Each retry has it anew.
   * Default: 60 000, since the service answers or gives up after 30 s and the answer needs some time to arrive.
   */
  readonly timeout?: number
  /** Most bytes of an answer, decompressed; Infinity for no limit. Default: 268 435 456 (256 MiB). */
  readonly maxBytes?: number
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

/** A URL may hold a password or a token, so no message repeats it. */
const wrong = (remedy: string) => new ClientUsageError(`The base URL cannot be used. ${remedy}`)

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

export const defaultLimits = { timeout: 60_000, maxBytes: 256 * 1024 * 1024 } as const

const types: OptionTypes<ClientOptions> = {
  baseUrl: 'string',
  token: 'string | function',
  fetch: 'function',
  headers: 'object',
  timeout: 'number',
  maxBytes: 'number',
  retries: 'number',
  profile: 'object',
  dateLiteral: 'string',
  validate: 'boolean',
  parse: 'function',
}

/** @throws ClientUsageError for an option that does not exist or has another type, and for a value out of range */
export function checkClientOptions(options: ClientOptions): void {
  checkServiceOptions(options, types, ClientUsageError)
  const { timeout, maxBytes, retries, dateLiteral } = options
  for (const [name, value, unit] of [
    ['timeout', timeout, 'milliseconds'],
    ['maxBytes', maxBytes, 'bytes'],
  ] as const)
    if (value !== undefined && !(value > 0))
      throw new ClientUsageError(
        `${name} is ${value}. Give a number of ${unit} above 0, or leave it out for ${defaultLimits[name]}.`,
      )
  if (retries !== undefined && !(Number.isInteger(retries) && retries >= 0))
    throw new ClientUsageError(`retries is ${retries}. Give a whole number, or leave it out for no retries.`)
  if (dateLiteral !== undefined && dateLiteral !== 'as-given' && !isDateNotation(dateLiteral))
    throw new ClientUsageError(
      `There is no dateLiteral "${String(dateLiteral)}". Name a variant of delta.literal, or as-given.`,
    )
}

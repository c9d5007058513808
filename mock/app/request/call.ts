import { contract } from '../../../schemas/contract.ts'
import { Refusal } from '../answer/refusal.ts'

/** The headers of a request, by their names in lower case. */
export type RequestHeaders = Pick<Headers, 'get' | 'has'>

/**
 * The part of a Request that the statement endpoint reads. A Request is a call; adapters that have something else make a
 * call of it, because making a Request takes as long as running a small statement.
 */
export interface Call extends Pick<Request, 'arrayBuffer' | 'method' | 'signal'> {
  /** Absolute. Its host is not used. */
  readonly url: string
  readonly headers: RequestHeaders
  readonly body: AsyncIterable<Uint8Array> | Iterable<Uint8Array> | null
  /** The whole request, for all other paths. Default: this object. @throws Refusal 400 if it is not valid */
  readonly toRequest?: () => Request
}

/** An absolute URL with a path that is written as in its parsed form. */
const plainUrl = /^https?:\/\/[^/?#\\]+(\/[\w\-/]*)$/

/** A session whose id a parser takes out of the path, which leaves the common session. */
const dotSession = /^[^?#]*[/\\]s[/\\](?:\.|%2e){1,2}(?:[/\\?#]|$)/i

/** The path of a URL. @throws Refusal 400 if the URL is not valid */
export function pathOf(url: string): string {
  const [, plain] = plainUrl.exec(url) ?? []
  if (plain !== undefined) return plain
  if (dotSession.test(url))
    throw new Refusal(400, 'The id of a session is not "." or "..". Choose another one.')
  return checked(() => new URL(url)).pathname
}

/** Calls `make`. @throws Refusal 400 if it fails, because the URL or the Host header of a request is not valid */
export function checked<T>(make: () => T): T {
  try {
    return make()
  } catch {
    throw new Refusal(400, 'The URL or the Host header of the request is not valid.')
  }
}

/** The path of the next version, where `schema.extra=new-version` serves additions. */
export const nextVersionPath = contract.endpoint.path.replace('/v1/', '/v2/')

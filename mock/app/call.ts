import { Refusal } from './refusal.ts'

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

/** The path of a URL. @throws Refusal 400 if the URL is not valid */
export const pathOf = (url: string): string => plainUrl.exec(url)?.[1] ?? checked(() => new URL(url)).pathname

/** Calls `make`. @throws Refusal 400 if it fails, because the URL or the Host header of a request is not valid */
export function checked<T>(make: () => T): T {
  try {
    return make()
  } catch {
    throw new Refusal(400, 'The URL or the Host header of the request is not valid.')
  }
}

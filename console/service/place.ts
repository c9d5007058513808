/** Where the page is: the address that all of its requests begin with, and the session that this address names. */
export interface Place {
  readonly base: string
  readonly session?: string
}

/**
 * The place of a page. A page at `/s/NAME/` is about the session of that name.
 *
 * @example
 * placeOf(new URL('http://localhost:4010/s/worker-1/')) // { base: 'http://localhost:4010/s/worker-1', session: 'worker-1' }
 */
export function placeOf({ origin, pathname }: Pick<URL, 'origin' | 'pathname'>): Place {
  const session = /^\/s\/([^/]+)\/$/.exec(pathname)?.[1]
  return session === undefined ? { base: origin } : { base: `${origin}/s/${session}`, session }
}

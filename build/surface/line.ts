/**
 * A line of the record: the path of a thing, and one fact about it. `cli > serve > --listen: <host:port>` says that the
 * command `serve` has the flag `--listen` with this value; the part before `: ` is the path, and the part after it the fact.
 */
export const line = (path: readonly string[], fact?: string): string =>
  fact === undefined ? path.join(' > ') : `${path.join(' > ')}: ${fact.replaceAll(/\s+/g, ' ').trim()}`

/** The path of a line as text. */
export const pathOf = (text: string): string => text.split(': ', 1)[0]!

/** A value as a fact. */
export const value = (given: unknown): string => JSON.stringify(given) ?? 'undefined'

/** The path of the items of an array: `checks[]` is one segment. */
export const itemsOf = (path: readonly string[]): string[] => [...path.slice(0, -1), `${path.at(-1)}[]`]

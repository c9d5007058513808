/** A part of a text. */
export interface Range {
  readonly from: number
  readonly to: number
}

/** How the messages of the server, and of PostgreSQL, name what is wrong. */
const named = /(?:at or near|column|relation|view|table|function|operator does not exist:) "?([\w.]+)"?/g

/** The first word of a statement that a message names as wrong; undefined if it names none that is in it. */
export function wrongWord(
  statement: string,
  ...messages: readonly (string | undefined)[]
): Range | undefined {
  for (const message of messages)
    for (const [, word = ''] of message?.matchAll(named) ?? []) {
      const found = new RegExp(`(?<![\\w.])${word.replaceAll('.', '[.]')}(?!\\w)`, 'i').exec(statement)
      if (found) return { from: found.index, to: found.index + found[0].length }
    }
  return undefined
}

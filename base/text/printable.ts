/** Control and format characters, lone surrogates, and characters that XML 1.0 forbids; not line breaks and tabs. */
const unsafe = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029\uFFFE\uFFFF]/gu

/** A line without anything to escape; most lines are. */
const ascii = /^[ -~]*$/

/**
 * Makes a text safe to print: characters that could control a terminal, break XML or mislead a reader are written as
 * `\u001b`. Line breaks and tabs stay.
 */
export const printable = (text: string): string => text.replaceAll(unsafe, escaped)

/** The same for a text that is printed in one line. */
export const printableLine = (text: string): string =>
  ascii.test(text) ? text : printable(text).replaceAll('\n', String.raw`\n`)

function escaped(character: string): string {
  const hex = character.codePointAt(0)!.toString(16)
  return hex.length > 4 ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`
}

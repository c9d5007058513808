/**
 * A report holds text that the target wrote. Control, formatting and bidirectional characters in it could steer a
 * terminal, break XML or show a reader something else than what was sent, so they are written as `\u001b`; and a
 * line that a CI system would obey (`::command::` or `##[command]`, wherever it is printed) gets a space put in.
 * Works on every text of a value, however deep.
 */
export function plain<T>(value: T): T {
  return inside(value) as T
}

function inside(value: unknown): unknown {
  if (typeof value === 'string') return plainText(value)
  if (Array.isArray(value)) return value.map(inside)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [plainText(key), inside(item)]))
}

/** Controls, formats and lone surrogates of Unicode, what XML 1.0 refuses; lines and tabs may stay. */
const UNSAFE = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029\uFFFE\uFFFF]/gu

const plainText = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    .replaceAll(UNSAFE, escaped)
    .replaceAll(/^(\s*):(?=:)/gm, '$1: ')
    .replaceAll(/##(?=\w*\[)/g, '# #')

function escaped(character: string): string {
  const hex = character.codePointAt(0)!.toString(16)
  return hex.length > 4 ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`
}

/**
 * Makes text of the target safe to print. Control, formatting and bidirectional characters could control a terminal,
 * break XML or mislead a reader, so they are written as `\u001b`. A space disables the commands of CI systems
 * (`::command::`, `##[command]`). Applies to every text inside a value, at any depth.
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

/** Control and format characters, lone surrogates, and characters that XML 1.0 forbids; not line breaks and tabs. */
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

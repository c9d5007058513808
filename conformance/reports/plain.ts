import { printable } from '../../base/text/printable.ts'

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

const plainText = (text: string): string =>
  printable(text.replaceAll('\r\n', '\n'))
    .replaceAll(/^(\s*):(?=:)/gm, '$1: ')
    .replaceAll(/##(?=\w*\[)/g, '# #')

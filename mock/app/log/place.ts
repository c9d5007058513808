import { printableLine } from '../../../base/text/printable.ts'
import { withoutSecret } from './statement-log.ts'

/** The characters that are shown of a line, and how many of them stand before a place in the middle of it. */
const [width, before] = [60, 36]

/** The characters on each side of a place that are searched for a secret; headers, and thus tokens, are shorter. */
const searched = 20_000

/** The index of a place in a text. @param position in characters from 1 */
export function indexOf(text: string, position: number): number {
  let index = 0
  for (let n = 1; n < position && index < text.length; n++) index += text.codePointAt(index)! > 0xffff ? 2 : 1
  return index
}

/**
 * The line of a statement that holds a place, and a caret below it, as psql shows the place of an error. A long line is cut on both
 * sides; what could control a terminal is escaped. None if the place is within the secret.
 *
 * @param index in UTF-16 units from 0
 */
export function placeLines(statement: string, index: number, secret = ''): string[] {
  const from = Math.max(0, index - searched)
  const near = withoutSecret(statement.slice(from, index + searched), secret)
  const head = withoutSecret(statement.slice(from, index), secret)
  if (!near.startsWith(head)) return []
  const left = [...head.split(/[\r\n]/).at(-1)!]
  const right = [...near.slice(head.length).split(/[\r\n]/, 1)[0]!]
  const ahead = left.slice(-Math.max(before, width - right.length))
  const behind = right.slice(0, width - ahead.length)
  const start = `LINE ${statement.slice(0, index).split(/\r\n?|\n/).length}: ${ahead.length < left.length ? '…' : ''}${printed(ahead)}`
  return [`${start}${printed(behind)}${behind.length < right.length ? '…' : ''}`, `${blank(start)}^`]
}

/** A tab counts as one column. */
const printed = (characters: readonly string[]): string =>
  printableLine(characters.join('').replaceAll('\t', ' '))

/** Characters that take no column of a terminal, and those that take two. */
const marks = /\p{Mn}/gu
const wide = /[\p{Emoji_Presentation}\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\u3000-\u303f\uff01-\uff60]/gu

/** As many spaces as a text takes columns. */
const blank = (text: string): string =>
  text.replaceAll(marks, '').replaceAll(wide, '  ').replaceAll(/[^ ]/gu, ' ')

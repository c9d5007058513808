import { textOf } from '../parts/format.ts'
import type { Rows } from './order.ts'

/** Pixels: the least of a column, and what a column gets while the table is wider than the screen. */
export const narrowest = 72
export const wide = 320
/** Letters of a value that its cell shows. */
export const shownLetters = 300

/** Rows that the width of a column is estimated from. */
const sample = 100

/** Pixels that a column needs to show its name and its values, estimated from some rows that are spread over all. */
export function needOf(name: string, rows: Rows, column: number): number {
  const stride = Math.ceil(rows.length / sample)
  let longest = 0
  for (let at = 0; at < rows.length; at += stride)
    longest = Math.max(longest, letters(textOf(rows[at]![column]).slice(0, shownLetters)))
  return Math.max(narrowest, longest * 7.6 + 22, letters(name) * 7.6 + 36)
}

/** Letters of East Asia and emoji are two wide. */
const letters = (text: string) => text.length + (text.match(/[\u2e80-\uffdc]/g)?.length ?? 0)

const sum = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0)

/** Widths on a screen: what each column needs, cut only where there is no room for it; room that is left is shared equally. */
export function share(needs: readonly number[], room: number): number[] {
  const cutAt = (most: number) => needs.map((need) => Math.min(need, most))
  let most = wide
  while (most < Math.max(...needs) && sum(cutAt(most + 1)) <= room) most++
  const widths = cutAt(most)
  const free = Math.max(0, room - sum(widths))
  return widths.map((width) => width + free / widths.length)
}

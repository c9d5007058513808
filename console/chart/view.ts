import { type Signal, signal } from '@preact/signals'

/** The part of the x axis in view; undefined: all of it. Panels with one view move together. */
export type View = Signal<readonly [from: number, to: number] | undefined>

export const createView = (): View => signal<readonly [number, number] | undefined>(undefined)

/** Moves a part of the axis by a share of its width. */
export const moved = ([from, to]: readonly [number, number], share: number): readonly [number, number] => {
  const by = (to - from) * share
  return [from + by, to + by]
}

/** Makes a part of the axis wider or narrower around a place, which keeps its position on the screen. */
export const zoomed = (
  [from, to]: readonly [number, number],
  factor: number,
  around = (from + to) / 2,
): readonly [number, number] => [around - (around - from) * factor, around + (to - around) * factor]

/** A part of the axis within the whole of it; undefined: all of it. */
export function within(
  [from, to]: readonly [number, number],
  [first, last]: readonly [number, number],
): readonly [number, number] | undefined {
  const width = to - from
  if (width >= last - first) return undefined
  const start = Math.min(Math.max(from, first), last - width)
  return [start, start + width]
}

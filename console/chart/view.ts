/** A part of the x axis. */
export type Range = readonly [from: number, to: number]

/** A part of the axis in the address; undefined, for all of it, where it is none. */
export function rangeIn(text = ''): Range | undefined {
  const [from = NaN, to = NaN] = text.split(',').map(Number)
  return from < to ? [from, to] : undefined
}

/** Its text there, with more digits than a screen has pixels. */
export const textOfRange = (range: Range | undefined): string | undefined =>
  range?.map((end) => Number(end.toPrecision(13))).join(',')

/** Moves a part of the axis by a share of its width. */
export const moved = ([from, to]: Range, share: number): Range => {
  const by = (to - from) * share
  return [from + by, to + by]
}

/** Makes a part of the axis wider or narrower around a place, which keeps its position on the screen. */
export const zoomed = ([from, to]: Range, factor: number, around = (from + to) / 2): Range => [
  around - (around - from) * factor,
  around + (to - around) * factor,
]

/**
 * A range with room for marks: an axis counts from one to the next, and never ends where the sum of two numbers is the first one.
 * A single number gets a width.
 */
export function drawable([from, to]: Range): Range {
  const least = 1e-12 * Math.max(Math.abs(from), Math.abs(to))
  return to - from > least ? [from, to] : [from, from + Math.max(least, 1)]
}

/** A part of the axis within the whole of it; undefined: all of it. */
export function within([from, to]: Range, [first, last]: Range): Range | undefined {
  const width = to - from
  if (width >= last - first) return undefined
  const start = Math.min(Math.max(from, first), last - width)
  return [start, start + width]
}

/** The longest delay of a timer in milliseconds, some 24 days: JavaScript ends a longer one at once. */
export const longestTimerMs = 2_147_483_647

/** Milliseconds by unit. */
export const units = { d: 86_400_000, h: 3_600_000, min: 60_000, m: 60_000, s: 1000, ms: 1 }

/** A positive number with a unit: `500ms`, `30s`, `2m` or `2min`, `4h`, `1d`. Give a `string` from outside `as Duration`. */
export type Duration = `${number}${'' | ' '}${keyof typeof units}`

/** The milliseconds of a {@link Duration}; undefined for any other text. */
export function durationIn(text: string): number | undefined {
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?) ?([a-z]+)$/.exec(text) ?? []
  return amount !== undefined && Object.hasOwn(units, unit) ? Number(amount) * units[unit as 'ms'] : undefined
}

/** A duration as text, which {@link durationIn} reads. */
export function durationText(ms: number): string {
  const fits = ([unit, length]: [string, number]) => unit !== 'min' && ms >= length && ms % length === 0
  const [unit, length] = Object.entries(units).find(fits) ?? ['ms', 1]
  return `${ms / length}${unit}`
}

/** Minutes and seconds: 2:05. */
export function clock(ms: number): string {
  const seconds = Math.ceil(ms / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** @throws RangeError for a time that no timer can wait for: below `leastMs`, or above {@link longestTimerMs} */
export function checkTimer(name: string, ms: number, leastMs = 0): void {
  if (!(ms >= leastMs && ms <= longestTimerMs))
    throw new RangeError(
      `${name} is ${ms}. Give milliseconds from ${leastMs} to ${longestTimerMs}, which are 24 days.`,
    )
}

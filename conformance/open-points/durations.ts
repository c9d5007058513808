import { instantOf } from '../connection/values/instant.ts'
import type { Json } from '../connection/values/json.ts'

/** Milliseconds from one printed time to another; undefined where one of them is not a time. */
export function msBetween(from: Json | undefined, to: Json | undefined): number | undefined {
  const [start, end] = [from, to].map((text) => (typeof text === 'string' ? instantOf(text) : undefined))
  return start === undefined || end === undefined ? undefined : Number(end - start) / 1e6
}

/** Whether two durations in milliseconds are the same: timestamps may be printed in whole seconds. */
export const near = (one: number | undefined, other: number): boolean =>
  one !== undefined && Math.abs(one - other) <= 1000

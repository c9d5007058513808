import type { Random } from '../../../base/random/random.ts'
import type { LatencyFault } from '../../../schemas/generated/types.ts'

/** The 99th percentile of the standard normal distribution. */
const z99 = 2.326_347_874

/** The longest delay of a log-normal distribution, in milliseconds: its tail is endless. */
const longestMs = 10 * 60_000

/** A delay in milliseconds. */
export function drawLatency({ delayMs, medianMs, p99Ms }: LatencyFault, random: Random): number {
  if (typeof delayMs === 'number') return delayMs
  if (delayMs !== undefined) return random.between(...delayMs)
  const sigma = Math.log(p99Ms! / medianMs!) / z99
  return Math.min(medianMs! * Math.exp(sigma * random.normal()), longestMs)
}

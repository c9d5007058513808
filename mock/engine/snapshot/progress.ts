import { clock } from '../../../base/time/duration.ts'

/** Receives sentences for users while a snapshot is built. Apart from the code, so that published types lead to none of the database. */
export type ProgressListener = (message: string) => void

/** Milliseconds between two reports, and before the first: a small plant is built before. */
const everyMs = 3000

/**
 * Reports the share of a plant that is stored and the time left.
 *
 * @param now a clock in milliseconds; tests replace it
 * @returns call it after each part, with the number of all parts
 */
export function reportParts(
  onProgress: ProgressListener,
  now: () => number = () => performance.now(),
): (parts: number) => void {
  const started = now()
  let [done, reported] = [0, started]
  return (parts) => {
    const time = now()
    if (++done === parts || time - reported < everyMs) return
    reported = time
    const left = ((time - started) * (parts - done)) / done
    onProgress(`Stored ${Math.floor((100 * done) / parts)} % of the plant, ${clock(left)} left.`)
  }
}

import type { Target } from '../../connection/target.ts'
import { defineProbe } from '../probe.ts'
import { only, tally, unlessEmpty } from '../reading.ts'
import { wholeSeries, type Series } from '../whole-series.ts'

const close = (one: number, other: number): boolean =>
  Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(one), Math.abs(other))

/** By which divisor a standard deviation was computed from the values; nothing where that does not show. */
function divisorOf({ statistics, values }: Series): string[] {
  const { standard_deviation: given } = statistics
  const numbers = values.filter((value) => typeof value === 'number')
  const mean = numbers.reduce((sum, value) => sum + value, 0) / numbers.length
  const squares = numbers.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  const [sample, population] = [squares / (numbers.length - 1), squares / numbers.length].map(Math.sqrt)
  // equal values have a deviation of rounding errors
  if (typeof given !== 'number' || numbers.length < 2 || close(sample!, population!)) return []
  if (close(given, sample!)) return ['sample']
  return [close(given, population!) ? 'population' : 'neither']
}

export const probe = defineProbe('statistics.standard-deviation', {
  read: async (t: Target) => unlessEmpty((await wholeSeries(t)).flatMap(divisorOf)),
  seen: (divisors) => `in series: ${tally(divisors)}`,
  variants: {
    sample: only('sample'),
    population: only('population'),
  },
})

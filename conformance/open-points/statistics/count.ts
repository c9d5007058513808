import type { Target } from '../../connection/target.ts'
import { defineProbe } from '../probe.ts'
import { only, tally, unlessEmpty } from '../reading.ts'
import { wholeSeries, type Series } from '../whole-series.ts'

/** Which points a count includes; nothing where every point has a value. */
function countedIn({ statistics: { count }, values }: Series): string[] {
  const filled = values.filter((value) => value !== null).length
  if (typeof count !== 'number' || filled === values.length) return []
  return [count === filled ? 'non-null' : count === values.length ? 'all' : 'neither']
}

export const probe = defineProbe('statistics.count', {
  read: async (t: Target) => unlessEmpty((await wholeSeries(t)).flatMap(countedIn)),
  seen: (points) => `in series: ${tally(points)}`,
  variants: {
    'non-null': only('non-null'),
    all: only('all'),
  },
})

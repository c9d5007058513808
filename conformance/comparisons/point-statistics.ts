import { disagreements, type Statistics } from './series-statistics.ts'

/** A point of a series: when, in nanoseconds, and what. */
export interface Point {
  at: bigint
  value: number | null
}

/** What points say of the statistics of their series, where the contract leaves it open. */
export interface PointStatistics {
  /** Statistics that the points do not give. */
  disagreements: string[]
  /** Whether `count` includes points without a value; undefined where there are none, or it is neither number. */
  countsNulls: boolean | undefined
  /** Which standard deviation is meant; undefined where the two can not be told apart. */
  deviation: 'sample' | 'population' | undefined
}

/** Computes the statistics of a series from its points (REQ-VIEW-STATS-POINTS). */
export function readPointStatistics(statistics: Statistics, points: readonly Point[]): PointStatistics {
  const inOrder = points.toSorted((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0))
  const values = inOrder.flatMap(({ value }) => value ?? [])
  const count = statistics['count'] === points.length ? values.length : statistics['count']
  const deviations = (['sample', 'population'] as const).filter(
    (which) =>
      disagreements({ standard_deviation: statistics['standard_deviation'] }, values, which).length === 0,
  )
  const [only] = deviations
  return {
    disagreements: disagreements({ ...statistics, count }, values),
    countsNulls:
      values.length === points.length
        ? undefined
        : statistics['count'] === points.length
          ? true
          : statistics['count'] === values.length
            ? false
            : undefined,
    deviation: deviations.length === 1 ? only : undefined,
  }
}

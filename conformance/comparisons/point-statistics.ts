import { differences, type Difference, type Row } from '../../invariants/index.ts'

/** A point of a series: when, in nanoseconds, and what. */
export interface Point {
  at: bigint
  value: number | null
}

/** How the statistics of a series follow from its points. */
export interface PointStatistics {
  /** Statistics that the points do not give. */
  differences: Difference[]
  /** Whether `count` includes points without a value; undefined if there are none, or if it is neither number. */
  countsNulls: boolean | undefined
  /** Which standard deviation it is; undefined if both fit, or neither. */
  deviation: 'sample' | 'population' | undefined
}

/** Computes the statistics of a series from its points (REQ-VIEW-STATS-POINTS). */
export function readPointStatistics(statistics: Row, points: readonly Point[]): PointStatistics {
  const inOrder = points.toSorted((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0))
  const values = inOrder.flatMap(({ value }) => value ?? [])
  const count = statistics['count'] === points.length ? values.length : statistics['count']
  const deviations = (['sample', 'population'] as const).filter(
    (which) =>
      differences({ standard_deviation: statistics['standard_deviation'] }, values, which).length === 0,
  )
  const [only] = deviations
  return {
    differences: differences({ ...statistics, count }, values),
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

import { differences, type Difference, type Row } from '../../invariants/index.ts'

/** A point of a series. */
export interface Point {
  /** Nanoseconds since 1970 UTC. */
  at: bigint
  value: number | null
}

/** A comparison of the statistics of a series with its points. */
export interface PointStatistics {
  /** The statistics that contradict the points. */
  differences: Difference[]
  /** Whether `count` includes points without a value; undefined if there are none, or if `count` is wrong. */
  countsNulls: boolean | undefined
  /** The kind of standard deviation; undefined if both match, or neither. */
  deviation: 'sample' | 'population' | undefined
}

/** Compares the statistics of a series with its points (REQ-VIEW-STATS-POINTS). */
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

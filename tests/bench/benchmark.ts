/** A measured value and its targets. */
export interface Measure {
  readonly what: string
  readonly value: number
  /** Printed after the value: `ms`, `MB`, `x Prism`. */
  readonly unit: string
  /** The required value. */
  readonly must?: number
  /** The desired value. */
  readonly stretch?: number
  /** Whether a higher value is better. Default: a lower one. */
  readonly more?: true
}

/** The result of a benchmark. */
export interface Findings {
  readonly measures: readonly Measure[]
  /** The data behind the measures: rows with the same keys. */
  readonly evidence?: readonly Readonly<Record<string, string | number>>[]
  /** Explanations of the measures. */
  readonly notes?: readonly string[]
}

/** Options of the command line. */
export interface RunOptions {
  /** How long to run. Default: as long as the targets are for. */
  readonly minutes?: number
}

export interface Benchmark {
  /** The name on the command line. */
  readonly name: string
  readonly title: string
  /** Runs only if it is named, because it needs much time or disk space. */
  readonly onDemand?: true
  run(options?: RunOptions): Promise<Findings>
}

export type Mark = 'stretch' | 'must' | 'missed' | ''

/** Compares a measure with its targets. */
export function mark({ value, must, stretch, more }: Measure): Mark {
  const reaches = (target: number) => (more ? value >= target : value <= target)
  if (stretch !== undefined && reaches(stretch)) return 'stretch'
  if (must === undefined) return ''
  return reaches(must) ? 'must' : 'missed'
}

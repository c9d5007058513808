/** One figure and what it should be. */
export interface Measure {
  readonly what: string
  readonly value: number
  /** Printed behind the value: `ms`, `MB`, `x Prism`. */
  readonly unit: string
  /** What has to be reached, and what is aimed for. Without them the figure is only told. */
  readonly must?: number
  readonly stretch?: number
  /** Whether more is better. Default: less is. */
  readonly more?: true
}

/** What a benchmark found out. */
export interface Findings {
  readonly measures: readonly Measure[]
  /** What the figures rest on, a record a row with the same keys. */
  readonly evidence?: readonly Readonly<Record<string, string | number>>[]
  /** What a reader of the figures has to know. */
  readonly notes?: readonly string[]
}

export interface Benchmark {
  /** By which it is picked. */
  readonly name: string
  readonly title: string
  /** Runs only when it is named: it takes more time or disk than most have. */
  readonly onDemand?: true
  run(): Promise<Findings>
}

export type Mark = 'stretch' | 'must' | 'missed' | ''

/** How a figure stands against its targets. */
export function mark({ value, must, stretch, more }: Measure): Mark {
  const reaches = (target: number) => (more ? value >= target : value <= target)
  if (stretch !== undefined && reaches(stretch)) return 'stretch'
  if (must === undefined) return ''
  return reaches(must) ? 'must' : 'missed'
}

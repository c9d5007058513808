import type { ViewName } from '../schemas/generated/types.ts'
import { views } from '../schemas/views.ts'
import { RowStore } from './rows/row-store.ts'
import type { Micros } from './rows/instant.ts'
import type { Invariant, Judgement, Problems } from './invariant.ts'
import { nameOf, type Row } from './rows/row.ts'

/** The rows of a view, read once. */
export type Source = (view: ViewName) => Iterable<object>

export interface EvaluateOptions {
  /** The moment that the rows describe, microseconds since 1970. Without it: the newest change that they tell of. */
  asOf?: Micros
  /** No row can have changed after this. Default asOf; without either nobody knows what is too young. */
  latest?: Micros
  /** How many violations of an invariant are kept; all are counted. Default 5. */
  examples?: number
}

/** What came out of one invariant. */
export interface InvariantFinding extends Pick<Invariant, 'id' | 'title' | 'kind'> {
  /** How many rows it judged. Where that is none, nothing is known. */
  judged: number
  /** How many of them break it. */
  violations: number
  /** The first of them. */
  examples: readonly Judgement[]
}

interface Tally extends InvariantFinding {
  examples: Judgement[]
}

/** Judges rows as they come, in any order of the views. Of points only times and values are kept. */
export class Inspection {
  readonly #invariants: readonly Invariant[]
  readonly #tallies: readonly Tally[]
  readonly #most: number
  readonly #store: RowStore
  readonly #byView: Readonly<Record<ViewName, (row: Row) => void>>

  constructor(invariants: readonly Invariant[], { asOf, latest, examples = 5 }: EvaluateOptions = {}) {
    this.#invariants = invariants
    this.#most = examples
    this.#store = new RowStore(asOf, latest)
    this.#tallies = invariants.map(({ id, title, kind }) => ({
      id,
      title,
      kind,
      judged: 0,
      violations: 0,
      examples: [],
    }))
    this.#byView = Object.fromEntries(views.map(({ name }) => [name, this.#judgeOf(name)])) as Record<
      ViewName,
      (row: Row) => void
    >
  }

  /** Looks at one row. */
  take(view: ViewName, row: object): void {
    this.#byView[view](row as Row)
    this.#store.add(view, row as Row)
  }

  /** What came out, in the order of the invariants: once all rows are taken. */
  findings(): InvariantFinding[] {
    for (const [index, invariant] of this.#invariants.entries()) {
      if (!('plant' in invariant)) continue
      for (const judgement of invariant.plant(this.#store))
        this.#count(this.#tallies[index]!, judgement.view, judgement.row, judgement.problems)
    }
    return [...this.#tallies]
  }

  #judgeOf(view: ViewName): (row: Row) => void {
    const own = this.#invariants.flatMap((invariant, index) =>
      'row' in invariant && invariant.judges.includes(view)
        ? [{ invariant, tally: this.#tallies[index]! }]
        : [],
    )
    return (row) => {
      for (const { invariant, tally } of own) {
        const problems = invariant.row(row, view)
        if (problems) this.#count(tally, view, row, problems)
      }
    }
  }

  #count(tally: Tally, view: ViewName, row: Row | string, problems: Problems): void {
    tally.judged++
    if (problems.length === 0) return
    tally.violations++
    if (tally.examples.length < this.#most)
      tally.examples.push({ view, row: typeof row === 'string' ? row : nameOf(row), problems })
  }
}

/** Judges all rows of the nine views, each view read once. */
export function evaluate(
  invariants: readonly Invariant[],
  source: Source,
  options?: EvaluateOptions,
): InvariantFinding[] {
  const inspection = new Inspection(invariants, options)
  for (const { name } of views) for (const row of source(name)) inspection.take(name, row)
  return inspection.findings()
}

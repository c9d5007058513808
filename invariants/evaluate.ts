import type { ViewName } from '../schemas/generated/types.ts'
import { views } from '../schemas/views.ts'
import { RowStore } from './rows/row-store.ts'
import type { Micros } from './rows/instant.ts'
import type { Invariant, Judgement, Problems } from './invariant.ts'
import { nameOf, type Row } from './rows/row.ts'

/** The rows of a view, read once. */
export type Source = (view: ViewName) => Iterable<object>

export interface EvaluateOptions {
  /**
   * The time that the rows describe, in microseconds since 1970. Default: the newest change in the rows; then no row is too new.
   */
  asOf?: Micros
  /** Views that may lack rows: an invariant that needs one in full is not judged. Default: none. */
  incomplete?: readonly ViewName[]
}

/** The result of one invariant. */
export interface InvariantFinding extends Pick<Invariant, 'id' | 'title'> {
  /** The number of rows judged. With 0, nothing is known. */
  judged: number
  /** The number of rows that break the invariant. */
  violations: number
  /** The first {@link MOST_EXAMPLES} of them. */
  examples: readonly Judgement[]
}

/** Violations kept for each invariant; all are counted. */
const MOST_EXAMPLES = 5

interface Tally extends InvariantFinding {
  examples: Judgement[]
}

/** Evaluates invariants row by row, in any order of the views. It keeps only the times and values of points. */
export class Inspection {
  readonly #invariants: readonly Invariant[]
  readonly #tallies: readonly Tally[]
  readonly #store: RowStore
  readonly #incomplete: readonly ViewName[]
  readonly #byView: Readonly<Record<ViewName, (row: Row) => void>>

  constructor(invariants: readonly Invariant[], { asOf, incomplete = [] }: EvaluateOptions = {}) {
    this.#invariants = invariants
    this.#store = new RowStore(asOf)
    this.#incomplete = incomplete
    this.#tallies = invariants.map(({ id, title }) => ({
      id,
      title,
      judged: 0,
      violations: 0,
      examples: [],
    }))
    this.#byView = Object.fromEntries(views.map(({ name }) => [name, this.#judgeOf(name)])) as Record<
      ViewName,
      (row: Row) => void
    >
  }

  /** Takes one row. */
  take(view: ViewName, row: object): void {
    this.#byView[view](row as Row)
    this.#store.add(view, row as Row)
  }

  /** The findings in the order of the invariants; call it after all rows are taken. */
  findings(): InvariantFinding[] {
    for (const [index, invariant] of this.#invariants.entries()) {
      if (!('plant' in invariant) || invariant.whole.some((view) => this.#incomplete.includes(view))) continue
      for (const judgement of invariant.plant(this.#store))
        this.#count(this.#tallies[index]!, judgement.view, judgement.row, judgement.problems)
    }
    return [...this.#tallies]
  }

  #judgeOf(view: ViewName): (row: Row) => void {
    const own = this.#invariants.flatMap((invariant, index) =>
      'judge' in invariant && invariant.judges.includes(view)
        ? [{ judge: invariant.judge(view), tally: this.#tallies[index]! }]
        : [],
    )
    return (row) => {
      for (const { judge, tally } of own) {
        const problems = judge(row)
        if (problems) this.#count(tally, view, row, problems)
      }
    }
  }

  #count(tally: Tally, view: ViewName, row: Row | string, problems: Problems): void {
    tally.judged++
    if (problems.length === 0) return
    tally.violations++
    if (tally.examples.length < MOST_EXAMPLES)
      tally.examples.push({ view, row: typeof row === 'string' ? row : nameOf(row), problems })
  }
}

/** Evaluates invariants over all rows of the nine views; reads each view once. */
export function evaluate(
  invariants: readonly Invariant[],
  source: Source,
  options?: EvaluateOptions,
): InvariantFinding[] {
  const inspection = new Inspection(invariants, options)
  for (const { name } of views) for (const row of source(name)) inspection.take(name, row)
  return inspection.findings()
}

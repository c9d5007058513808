import type { ViewName } from '../schemas/generated/types.ts'
import type { RowStore, KeptView } from './rows/row-store.ts'
import { nameOf, type Row } from './rows/row.ts'
import { say, type Message } from './message.ts'

/** One sentence for each problem; empty where there is none. */
export type Problems = readonly Message[]

/** A row that was judged. */
export interface Judgement {
  view: ViewName
  /** The id of the row. */
  row: string
  problems: Problems
}

interface Described {
  /** D1, P1 and so on. */
  id: string
  title: string
  /** `documented` follows from the contract; `plausibility` is what a bioprocess engineer expects. */
  kind: 'documented' | 'plausibility'
  /** The views whose rows it judges. A part of their rows is enough. */
  judges: readonly ViewName[]
  /** The views that it needs in full: a missing row would lead to a wrong result. */
  whole: readonly ViewName[]
}

/** A rule for single rows. */
export interface RowInvariant extends Described {
  /** The problems of a row; undefined where the rule does not apply. */
  row(row: Row, view: ViewName): Problems | undefined
}

/** A rule for rows taken together. */
export interface PlantInvariant extends Described {
  /** A judgement for every row that the rule applies to. */
  plant(store: RowStore): Iterable<Judgement>
}

/** A rule that the rows of the service satisfy. */
export type Invariant = RowInvariant | PlantInvariant

const kindOf = (id: string): Invariant['kind'] => (id.startsWith('D') ? 'documented' : 'plausibility')

/** An invariant of single rows; `row` judges every row of the views. */
export function eachRow(
  id: string,
  title: string,
  judges: readonly ViewName[],
  row: RowInvariant['row'],
): Invariant {
  return { id, title, kind: kindOf(id), judges, whole: [], row }
}

/** An invariant of rows of `judges` that also reads other views, those of `whole` in full. */
export function together(
  id: string,
  title: string,
  { judges, whole = [] }: { judges: readonly ViewName[]; whole?: readonly ViewName[] },
  plant: PlantInvariant['plant'],
): Invariant {
  return { id, title, kind: kindOf(id), judges, whole, plant }
}

/** No problems. */
export const fine: Problems = []

/** The message as a problem, unless a condition holds. */
export function unless(holds: boolean, message: Message): Problems {
  return holds ? fine : [message]
}

/** An invariant: no two rows of a view have the same key. */
export function unique(
  id: string,
  title: string,
  views: readonly KeptView[],
  keyOf: (row: Row) => string,
): Invariant {
  return together(id, title, { judges: views }, function* (store): Generator<Judgement> {
    for (const view of views) {
      const seen = new Set<string>()
      for (const row of store.rows(view)) {
        const key = keyOf(row)
        yield { view, row: nameOf(row), problems: unless(!seen.has(key), say`${key} occurs more than once.`) }
        seen.add(key)
      }
    }
  })
}

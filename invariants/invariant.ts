import type { ViewName } from '../schemas/generated/types.ts'
import type { RowStore, KeptView } from './rows/row-store.ts'
import { nameOf, type Row } from './rows/row.ts'
import { say, type Message } from './message.ts'

/** What is wrong with something, one sentence each; empty where nothing is. */
export type Problems = readonly Message[]

/** A row that was judged. */
export interface Judgement {
  view: ViewName
  /** What the row is called: its id. */
  row: string
  problems: Problems
}

interface Described {
  /** D1, P1 and so on. */
  id: string
  title: string
  /** `documented` follows from the documentation; `plausibility` is what a bioprocess engineer expects. */
  kind: 'documented' | 'plausibility'
  /** The views whose rows it judges; those rows may be a part of the view. */
  judges: readonly ViewName[]
  /** The views that it has to know in full: a row that was not read would mislead it. */
  whole: readonly ViewName[]
}

/** Something that is true of every row for itself. */
export interface RowInvariant extends Described {
  /** What is wrong with a row; undefined where the row has nothing to judge. */
  row(row: Row, view: ViewName): Problems | undefined
}

/** Something that is true of rows taken together. */
export interface PlantInvariant extends Described {
  /** Every row that has something to judge. */
  plant(store: RowStore): Iterable<Judgement>
}

/** Something that is always true of the rows of the service. */
export type Invariant = RowInvariant | PlantInvariant

const kindOf = (id: string): Invariant['kind'] => (id.startsWith('D') ? 'documented' : 'plausibility')

/** An invariant of single rows: `row` judges every row of the views. */
export function eachRow(
  id: string,
  title: string,
  judges: readonly ViewName[],
  row: RowInvariant['row'],
): Invariant {
  return { id, title, kind: kindOf(id), judges, whole: [], row }
}

/** An invariant of rows of `judges` that takes further views to evaluate, those of `whole` in full. */
export function together(
  id: string,
  title: string,
  { judges, whole = [] }: { judges: readonly ViewName[]; whole?: readonly ViewName[] },
  plant: PlantInvariant['plant'],
): Invariant {
  return { id, title, kind: kindOf(id), judges, whole, plant }
}

/** Nothing is wrong. */
export const fine: Problems = []

/** What to say where something should hold and does not. */
export function unless(holds: boolean, message: Message): Problems {
  return holds ? fine : [message]
}

/** Whether two numbers are the same but for the order in which they were added up. */
export function isClose(one: unknown, other: unknown, tolerance = 1e-9): boolean {
  if (typeof one !== 'number' || typeof other !== 'number') return one === other
  return Math.abs(one - other) <= tolerance * Math.max(1, Math.abs(one), Math.abs(other))
}

/** No two rows of a view have the same key. */
export function unique(
  id: string,
  title: string,
  views: readonly KeptView[],
  tell: (row: Row) => string,
): Invariant {
  return together(id, title, { judges: views }, function* (store): Generator<Judgement> {
    for (const view of views) {
      const seen = new Set<string>()
      for (const row of store.rows(view)) {
        const key = tell(row)
        yield { view, row: nameOf(row), problems: unless(!seen.has(key), say`${key} occurs more than once.`) }
        seen.add(key)
      }
    }
  })
}

import type { ViewName } from '../schemas/generated/types.ts'
import type { RowStore } from './rows/row-store.ts'
import type { Row } from './rows/row.ts'
import type { Message } from './message.ts'

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
  /** The views whose rows it judges. A part of their rows is enough. */
  judges: readonly ViewName[]
  /** The views that it needs in full: a missing row would lead to a wrong result. */
  whole: readonly ViewName[]
}

/** A rule for the rows of a view, one after another. */
export interface RowInvariant extends Described {
  /** Begins to judge a view: the result takes its rows in turn and gives the problems of each, undefined where the rule does not apply. */
  judge(view: ViewName): (row: Row) => Problems | undefined
}

/** A rule for rows taken together. */
export interface PlantInvariant extends Described {
  /** A judgement for every row that the rule applies to. */
  plant(store: RowStore): Iterable<Judgement>
}

/** A rule that the rows of the service satisfy. */
export type Invariant = RowInvariant | PlantInvariant

/** An invariant of single rows; `row` judges every row of the views. */
export function eachRow(
  id: string,
  title: string,
  judges: readonly ViewName[],
  row: (row: Row, view: ViewName) => Problems | undefined,
): Invariant {
  return inTurn(id, title, judges, (view) => (each) => row(each, view))
}

/** An invariant of the rows of a view, one after another, such as that none repeats another. */
export function inTurn(
  id: string,
  title: string,
  judges: readonly ViewName[],
  judge: RowInvariant['judge'],
): Invariant {
  return { id, title, judges, whole: [], judge }
}

/** An invariant of rows of `judges` that also reads other views, those of `whole` in full. */
export function together(
  id: string,
  title: string,
  { judges, whole = [] }: { judges: readonly ViewName[]; whole?: readonly ViewName[] },
  plant: PlantInvariant['plant'],
): Invariant {
  return { id, title, judges, whole, plant }
}

/** No problems. */
export const fine: Problems = []

/** The message as a problem, unless a condition holds. */
export function unless(holds: boolean, message: Message): Problems {
  return holds ? fine : [message]
}

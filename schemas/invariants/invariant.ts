import type { ViewName, ViewRows } from '../generated/types.ts'

/** All rows of the nine views. */
export type Tables = { readonly [V in ViewName]: readonly ViewRows[V][] }

/** A row whose values are not known to be what they should. */
export type Row = Readonly<Record<string, unknown>>

/** What is wrong with something, one sentence each; empty where nothing is. */
export type Problems = readonly string[]

/** A broken promise, and the row that breaks it. */
export interface Violation {
  invariant: string
  view: ViewName
  /** The id of the row. */
  row: string
  message: string
}

/** Something that is always true of the rows of the service. */
export interface Invariant {
  /** D1, D2 and so on: follows from the documentation. */
  id: string
  title: string
  /** All violations in a set of tables; none where it holds. */
  check(tables: Tables): Violation[]
}

/** The rows of a view as rows that may hold anything. */
export function rowsOf(tables: Tables, view: ViewName): readonly Row[] {
  return tables[view] as unknown as readonly Row[]
}

/** What a report calls a row. */
export function nameOf(row: Row): string {
  return String(row['id'] ?? row['record_id'])
}

/** An invariant of single rows: `problems` judges every row of the views. */
export function everyRow(
  id: string,
  title: string,
  views: readonly ViewName[],
  problems: (row: Row, view: ViewName) => Problems,
): Invariant {
  const check = (tables: Tables): Violation[] =>
    views.flatMap((view) =>
      rowsOf(tables, view).flatMap((row) =>
        problems(row, view).map((message) => ({ invariant: id, view, row: nameOf(row), message })),
      ),
    )
  return { id, title, check }
}

/** What to say where something should hold and does not. */
export function unless(holds: boolean, message: string): Problems {
  return holds ? [] : [message]
}

/** Whether a value is a JSON object. */
export function isRecord(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A value as a message shows it. */
export function shown(value: unknown): string {
  return JSON.stringify(value) ?? 'nothing'
}

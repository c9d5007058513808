import { view as definitionOf, type ColumnDefinition, type ViewName } from '../../../schemas/index.ts'
import type { DateLiteral } from '../../index.ts'
import type { AnswerSizes } from './answer-sizes.ts'
import type { Ask, Asked, Row } from './asker.ts'
import type { Budget } from './budget.ts'
import { canonicalRow } from './canonical-row.ts'
import { select, type Part } from './statements.ts'

/** What the readers of all views share. */
export interface Session {
  readonly ask: Ask
  readonly budget: Budget
  readonly sizes: AnswerSizes
  /** The spelling of dates that the service accepts. */
  readonly dateLiteral: DateLiteral
  /** Whether to send ORDER BY and comparisons of ids. */
  readonly undocumented: boolean
}

/** Reads pages of one view, in the form of the contract. */
export interface Reader extends Session {
  readonly view: ViewName
  readonly columns: readonly ColumnDefinition[]
  /** @throws BudgetSpent */
  page(part: Part, columns?: readonly ColumnDefinition[]): Promise<Asked>
}

/** Rows to store, and where to continue after them. */
export interface Batch {
  readonly rows: readonly Row[]
  /** Absent if the view has to be read again from its start. */
  readonly position?: Position
}

/** Where the reading of a view stopped. */
export type Position =
  /** The time of change of the last row. */
  | { readonly by: 'time'; readonly last: string; readonly limit: number }
  /** The key of the last row, and the rows with that key. */
  | {
      readonly by: 'key'
      readonly last: readonly string[]
      readonly ties: readonly string[]
      readonly limit: number
    }

/** The end of the reading of a view. */
export interface ViewEnd {
  /** Why rows may be missing, as a sentence; absent if none are. */
  readonly missing?: string
}

/**
 * Opens a view. A view may lack the columns that the contract only implies, so one statement tests them.
 *
 * @returns the reason if the service does not serve the view
 */
export async function openReader(session: Session, view: ViewName): Promise<Reader | string> {
  const { columns } = definitionOf(view)
  const reader = readerOf(session, view, columns)
  if (columns.every(({ optional }) => !optional)) return reader
  const tested = await reader.page({ limit: 1 })
  if (tested.rows) return reader
  const listed = readerOf(
    session,
    view,
    columns.filter(({ optional }) => !optional),
  )
  const again = await listed.page({ limit: 1 })
  return again.rows ? listed : (again.tooMuch ?? again.refused)
}

function readerOf(session: Session, view: ViewName, columns: readonly ColumnDefinition[]): Reader {
  return {
    ...session,
    view,
    columns,
    page: async (part, named = columns) => {
      const statement = select(view, named, {
        ...part,
        limit: Math.min(part.limit, session.budget.rowsLeft()),
      })
      const asked = await session.ask(
        statement,
        named.map(({ name }) => name),
      )
      if (!asked.rows) return asked
      session.sizes.add(view, asked.rows.length)
      return { rows: asked.rows.map((row) => canonicalRow(row, named)) }
    },
  }
}

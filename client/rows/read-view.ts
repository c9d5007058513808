import { type Adaptation, namedColumns } from './adaptation.ts'
import type { Ask } from './ask.ts'
import { completeRows, type Row, UnreadableRows } from './rows.ts'
import { columnsOf, select, type Selection } from '../statements.ts'

/**
 * Reads rows of one view with one statement: by documented names, omitted columns as null, validated if the client was
 * created so.
 *
 * @param refine changes the rows; may throw UnreadableRows
 * @throws ClientUsageError before sending anything; StatementError if the statement fails
 */
export type ReadView = (
  selection: Selection,
  signal: AbortSignal | undefined,
  refine?: (rows: Row[]) => Row[],
) => Promise<Row[]>

export function createReadView(ask: Ask, adaptation: Adaptation, validates: boolean): ReadView {
  return (selection, signal, refine = (rows) => rows) => {
    const { view } = selection
    const names = namedColumns(adaptation, view, selection.columns)
    const columns = columnsOf(view, names)
    return ask.rows(select({ ...selection, columns: names }), signal, names, async (rows) => {
      const complete = completeRows(rows, columns)
      if (validates) await checkRows(selection, names, complete)
      return refine(complete)
    })
  }
}

/** Loads the schemas with the first rows: they are larger than the client. @throws UnreadableRows */
async function checkRows(
  { view }: Selection,
  names: readonly string[] | undefined,
  rows: readonly Row[],
): Promise<void> {
  const { rowIssues } = await import('../../schemas/row-schemas.ts')
  for (const [n, row] of rows.entries()) {
    const [issue] = rowIssues(view, row, names)
    if (issue === undefined) continue
    const place = issue.path.join('.')
    throw new UnreadableRows(
      `Row ${n + 1} does not follow the schema of ${view}: ${place && `${place} `}${issue.message}. Read it without validate.`,
    )
  }
}

import { rowProblem } from '../fixtures/import/check-row.ts'
import type { ViewName } from '../schemas/index.ts'
import type { State, ViewState } from './folder/state.ts'
import { ViewFile, writtenRows } from './folder/view-file.ts'
import type { Row } from './read/asker.ts'
import { BudgetSpent } from './read/budget.ts'
import { readView } from './read/read-view.ts'
import type { Position, Session } from './read/reader.ts'
import { keyOf } from './read/statements.ts'

/** Puts pseudonyms into a row. */
export type Replace = (view: ViewName, row: Row) => Row

export interface StoreOptions {
  readonly session: Session
  readonly out: string
  readonly view: ViewName
  readonly state: State
  readonly replace: Replace
  readonly say: (line: string) => void
  /** Called when the state has changed. */
  readonly save: () => void
}

/** Reasons to name for a view. */
const MOST_REASONS = 3

/**
 * Reads a view to its file, batch by batch, and continues after the last batch if an earlier run stopped there. A spent
 * budget ends the view, and a later run may continue.
 */
export async function storeView({
  session,
  out,
  view,
  state,
  replace,
  say,
  save,
}: StoreOptions): Promise<void> {
  const before = state.views[view]?.position ? state.views[view] : undefined
  const file = new ViewFile(out, view, before?.bytes ?? 0)
  const accept = acceptor(view, before ? writtenRows(out, view, before.bytes) : [], (reason) =>
    say(`${view}: left a row out. ${reason}`),
  )
  let [rows, leftOut] = [before?.rows ?? 0, before?.leftOut ?? 0]
  let position: Position | undefined = before?.position
  const put = (end: Pick<ViewState, 'ended' | 'complete' | 'missing'>): void => {
    state.views[view] = {
      rows,
      ...end,
      ...(leftOut > 0 && { leftOut }),
      bytes: file.bytes,
      ...(position && !end.ended && { position }),
    }
    save()
  }
  try {
    const batches = readView(session, view, position)
    for (;;) {
      const next = await batches.next()
      if (next.done) {
        const leaves =
          leftOut > 0 ? ` ${leftOut} rows break the contract or repeat an id, and are left out.` : ''
        const missing = `${next.value.missing ?? ''}${leaves}`.trim()
        put({ ended: true, complete: missing === '', ...(missing !== '' && { missing }) })
        break
      }
      const accepted = next.value.rows
        .map((row) => accept(row, replace(view, row)))
        .filter((row) => row !== undefined)
      file.append(accepted)
      rows += accepted.length
      leftOut += next.value.rows.length - accepted.length
      position = next.value.position
      put({ ended: false, complete: false, missing: 'The recording was interrupted.' })
    }
  } catch (error) {
    if (!(error instanceof BudgetSpent)) throw error
    put({
      ended: false,
      complete: false,
      missing: `${error.message[0]!.toUpperCase()}${error.message.slice(1)}.`,
    })
  } finally {
    file.close()
  }
  const { complete, missing } = state.views[view]!
  say(`${view}: ${rows} rows${complete ? '' : `, incomplete. ${missing}`}`)
}

/** Accepts rows that `serve --data` accepts: valid by the contract, and one for each id. */
function acceptor(view: ViewName, written: readonly Row[], leaveOut: (reason: string) => void) {
  const [key, isUnique] = [keyOf(view).columns[0]!, keyOf(view).isUnique]
  const known = new Set(isUnique ? written.map((row) => row[key]) : [])
  let reasons = 0
  return (row: Row, replaced: Row): Row | undefined => {
    const problem =
      rowProblem(view, row) ??
      (isUnique && known.has(replaced[key]) ? 'The service repeats its id.' : undefined)
    if (problem === undefined) {
      if (isUnique) known.add(replaced[key])
      return replaced
    }
    if (++reasons <= MOST_REASONS) leaveOut(problem)
    return undefined
  }
}

import type { ViewName } from '../../schemas/index.ts'
import { openStore, type Replace } from './folder/row-store.ts'
import type { State, ViewState } from './folder/state.ts'
import { BudgetSpent } from './read/budget.ts'
import { readView } from './read/read-view.ts'
import type { Session } from './read/reader.ts'

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
export async function storeView(options: StoreOptions): Promise<void> {
  const { session, out, view, state, replace, say, save } = options
  const { file, counts, store } = openStore(out, view, state, replace)
  let position = state.views[view]?.position
  let reasons = 0
  const put = (end: Pick<ViewState, 'ended' | 'complete' | 'missing'>): void => {
    const { rows, leftOut } = counts
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
        const { leftOut } = counts
        const leaves = leftOut > 0 ? ` ${leftOut} rows that serve --data would reject are left out.` : ''
        const missing = `${next.value.missing ?? ''}${leaves}`.trim()
        put({ ended: true, complete: missing === '', ...(missing !== '' && { missing }) })
        break
      }
      store(next.value.rows, (reason) => {
        if (++reasons <= MOST_REASONS) say(`${view}: left a row out. ${reason}`)
      })
      position = next.value.position
      put({ ended: false, complete: false, missing: 'The recording was interrupted.' })
    }
  } catch (error) {
    if (!(error instanceof BudgetSpent)) throw error
    put({ ended: false, complete: false, missing: error.message })
  } finally {
    file.close()
  }
  const { complete, missing } = state.views[view]!
  say(`${view}: ${counts.rows} rows${complete ? '' : `, incomplete. ${missing}`}`)
}

import type { ViewName } from '../../schemas/index.ts'
import type { State } from './folder/state.ts'
import { writtenRows } from './folder/view-file.ts'
import type { AnswerSizes } from './read/answer-sizes.ts'

/** Marks views as incomplete for reasons that only other views show. */
export function nameDoubts(out: string, state: State, sizes: AnswerSizes): void {
  for (const [view, { rows, complete }] of Object.entries(state.views))
    if (complete && sizes.isShared(view as ViewName, rows))
      doubt(state, view as ViewName, 'The largest answers of several views have the same number of rows.')
  const points = state.views.v_timeseries_data
  const series = state.views.v_timeseries
  if (!points?.ended || !series?.ended) return
  let counted = 0
  for (const { row } of writtenRows(out, 'v_timeseries', series.bytes)) {
    const { count } = (row['statistics'] ?? {}) as { count?: unknown }
    if (typeof count === 'number') counted += count
  }
  const got = points.rows + (points.leftOut ?? 0)
  if (got < counted)
    doubt(state, 'v_timeseries_data', `The statistics of v_timeseries count ${counted} points.`)
}

function doubt(state: State, view: ViewName, reason: string): void {
  const known = state.views[view]!
  const missing = known.missing === undefined ? reason : `${known.missing} ${reason}`
  state.views[view] = { ...known, complete: false, missing }
}

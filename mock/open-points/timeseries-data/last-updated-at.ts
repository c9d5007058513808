import { changeViews, type ViewChanges } from '../view-change.ts'

const withoutColumn: ViewChanges = { v_timeseries_data: { columns: { last_updated_at: null } } }

export const pointUpdates = changeViews('timeseries-data.last-updated-at', {
  present: undefined,
  absent: withoutColumn,
})

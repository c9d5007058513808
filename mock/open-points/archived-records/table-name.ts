import { changeViews, column } from '../view-change.ts'

export const archivedTableName = changeViews('archived-records.table-name', {
  'base-table': undefined,
  view: column('v_archived_records', 'table_name', (own) => `'v_' || ${own}`),
})

import { views } from '../../../schemas/index.ts'
import type { Target } from '../../connection/target.ts'
import { defineProbe } from '../probe.ts'
import { only, tally, textsIn, unlessEmpty, valuesOf } from '../reading.ts'

function kindOf(tableName: string): string {
  if (views.some(({ name }) => name === tableName)) return 'view'
  return views.some(({ table }) => table === tableName) ? 'base-table' : 'other'
}

export const probe = defineProbe('archived-records.table-name', {
  read: async (t: Target) =>
    unlessEmpty(textsIn(await valuesOf(t, 'v_archived_records', 'table_name')).map(kindOf)),
  seen: (kinds) => `in rows: ${tally(kinds)}`,
  variants: {
    'base-table': only('base-table'),
    view: only('view'),
  },
})

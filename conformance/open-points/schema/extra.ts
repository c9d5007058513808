import { counted } from '../../../base/text/counted.ts'
import { views } from '../../../schemas/index.ts'
import { unlessRefused } from '../../connection/not-exercised.ts'
import type { Target } from '../../connection/target.ts'
import { defineProbe, undetectable } from '../probe.ts'
import { listed } from '../reading.ts'

export const probe = defineProbe('schema.extra', {
  read: async (t: Target) => {
    const further: string[] = []
    let read = 0
    for (const { name, columns } of views) {
      const all = await unlessRefused(t.selectAll(name, `LIMIT ${t.rows(200)}`))
      if (!all || all.rows.length === 0) continue
      read++
      const keys = new Set(all.rows.flatMap((row) => Object.keys(row)))
      for (const key of keys)
        if (!columns.some((column) => column.name === key)) further.push(`${name}.${key}`)
    }
    return read > 0 ? { further, read } : undefined
  },
  seen: ({ further, read }) =>
    further.length > 0
      ? `further columns: ${listed(further)}`
      : `no further columns in ${counted(read, 'view')}`,
  variants: {
    none: ({ further }) => further.length === 0,
    additive: ({ further }) => further.length > 0,
    'new-version': undetectable('is on another path'),
  },
})

import { views } from '../../../schemas/index.ts'
import { unlessRefused } from '../../connection/not-exercised.ts'
import type { Target } from '../../connection/target.ts'
import { defineProbe } from '../probe.ts'
import { tally, unlessEmpty } from '../reading.ts'

const has = (kinds: readonly string[], kind: string) => kinds.includes(kind)

export const probe = defineProbe('rows.nulls', {
  read: async (t: Target) => {
    const kinds: string[] = []
    for (const { name, columns } of views) {
      const sample = await unlessRefused(t.sample(name))
      const nullable = columns.filter((column) => column.nullable && sample?.columns.includes(column.name))
      for (const row of sample?.rows ?? [])
        for (const column of nullable) {
          const value = row[column.name]
          if (value === undefined) kinds.push('omitted')
          else if (value === null) kinds.push('null')
          else if (value === '') kinds.push('empty-string')
        }
    }
    return unlessEmpty(kinds)
  },
  seen: tally,
  variants: {
    null: (kinds) => has(kinds, 'null') && !has(kinds, 'omitted'),
    omitted: (kinds) => has(kinds, 'omitted') && !has(kinds, 'null'),
    // Where there are nulls, an empty text is a value like any other.
    'empty-string': (kinds) => !has(kinds, 'null') && !has(kinds, 'omitted'),
  },
})

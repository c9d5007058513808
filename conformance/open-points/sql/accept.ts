import { counted } from '../../../base/text/counted.ts'
import { harmlessWrites } from '../../samples/writes.ts'
import type { Target } from '../../connection/target.ts'
import { replyUsing } from '../optional-features.ts'
import { defineProbe } from '../probe.ts'

const ORDERED = 'SELECT id FROM v_quantities ORDER BY id LIMIT 1'

export const probe = defineProbe('sql.accept', {
  after: 'security.writes-refused',
  read: async (t: Target) => {
    const writes = (await harmlessWrites(t)).filter(({ ok }) => ok).length
    const grouped = (await replyUsing(t, 'clauses')).ok
    return { writes, grouped, ordered: grouped || (await t.shared(ORDERED)).ok }
  },
  seen: ({ writes, grouped, ordered }) => {
    const clauses = grouped
      ? 'GROUP BY and ORDER BY accepted'
      : ordered
        ? 'ORDER BY accepted, GROUP BY refused'
        : 'GROUP BY and ORDER BY refused'
    const accepted = `${counted(writes, 'write')} that touch no row accepted`
    return `${clauses}, ${writes > 0 ? accepted : 'writes refused'}`
  },
  variants: {
    'select-only': ({ grouped, writes }) => grouped && writes === 0,
    documented: ({ ordered, writes }) => !ordered && writes === 0,
    'allow-list': ({ grouped, ordered }) => !grouped && ordered,
    any: ({ grouped, writes }) => grouped && writes > 0,
  },
})

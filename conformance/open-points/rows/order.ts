import { counted } from '../../../base/text/counted.ts'
import { unlessRefused } from '../../connection/not-exercised.ts'
import { canonical, type Json } from '../../connection/values/json.ts'
import type { Selection, Target } from '../../connection/target.ts'
import { defineProbe } from '../probe.ts'

const inOrder = ({ rows }: Selection): string => canonical(rows.map(({ id }): Json => id ?? null))

/** Fewer rows may come in the same order by chance. */
const ENOUGH = 10

export const probe = defineProbe('rows.order', {
  read: async (t: Target) => {
    const named = await t.sample('v_quantities')
    if (named.rows.length < ENOUGH) return undefined
    const all = await unlessRefused(t.selectAll('v_quantities', `LIMIT ${t.rows(200)}`))
    // Another projection may be read in another order: a change shows only in the very same statement.
    const stable =
      (all && inOrder(all) === inOrder(named)) ||
      inOrder(await t.select(named.sql, named.columns)) === inOrder(named)
    return { rows: counted(named.rows.length, 'row'), stable }
  },
  seen: ({ rows, stable }) =>
    stable ? `${rows} in the same order twice` : `${rows} in another order the second time`,
  variants: {
    stable: ({ stable }) => stable,
    random: ({ stable }) => !stable,
  },
})

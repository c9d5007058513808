import type { Target } from '../../connection/target.ts'
import { defineProbe } from '../probe.ts'
import { areNull, haveKeys, shapeOf, unlessEmpty, valuesOf } from '../reading.ts'

export const probe = defineProbe('lineage.shape', {
  read: async (t: Target) => unlessEmpty(await valuesOf(t, 'v_bioprocesses', 'lineage')),
  seen: shapeOf,
  variants: {
    null: areNull,
    'parents-children': (values) => haveKeys(values, ['parents', 'children']),
    'ancestor-ids': (values) => haveKeys(values, ['ancestor_ids']),
    'parents-generation': (values) => haveKeys(values, ['parents', 'generation']),
  },
})

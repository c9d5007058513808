import { counted } from '../../../base/text/counted.ts'
import type { RowShape } from '../../connection/rows.ts'
import type { Target } from '../../connection/target.ts'
import { defineProbe } from '../probe.ts'

const is = (shape: RowShape) => (selection: { shape: RowShape }) => selection.shape === shape

export const probe = defineProbe('rows.shape', {
  read: async (t: Target) => {
    const sample = await t.sample('v_bioprocesses')
    return sample.rows.length > 0 ? sample : undefined
  },
  seen: ({ rows, shape }) => `in ${counted(rows.length, 'row')}: ${shape}`,
  variants: {
    object: is('object'),
    array: is('array'),
    'array-with-columns': is('array-with-columns'),
    wrapped: is('wrapped'),
    prefixed: is('prefixed'),
  },
})

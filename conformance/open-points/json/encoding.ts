import type { Target } from '../../connection/target.ts'
import { defineProbe } from '../probe.ts'
import { holdsOnly, textsIn, typesOf, unlessEmpty, valuesOfColumns } from '../reading.ts'

export const probe = defineProbe('json.encoding', {
  read: async (t: Target) =>
    unlessEmpty(
      await valuesOfColumns(t, (column) => holdsOnly('object')(column) || holdsOnly('array')(column)),
    ),
  seen: typesOf,
  variants: {
    native: (values) => textsIn(values).length === 0,
    text: (values) => textsIn(values).length === values.length,
  },
})

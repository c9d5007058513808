import { counted } from '../../../base/text/counted.ts'
import type { Target } from '../../connection/target.ts'
import { defineProbe } from '../probe.ts'
import { textsIn, unlessEmpty, valuesOf } from '../reading.ts'

const among =
  (...known: string[]) =>
  (words: readonly string[]) =>
    words.every((word) => known.includes(word))

export const probe = defineProbe('quantities.data-type', {
  read: async (t: Target) =>
    unlessEmpty([...new Set(textsIn(await valuesOf(t, 'v_quantities', 'data_type')))]),
  seen: (words) => counted(words.length, 'different word'),
  variants: {
    'float-integer-string-boolean': among('float', 'integer', 'string', 'boolean'),
    'number-text-categorical': among('number', 'text', 'categorical'),
    'upper-case': among('NUMERIC', 'TEXT', 'DATE'),
    'numeric-text-date': among('numeric', 'text', 'date'),
  },
})

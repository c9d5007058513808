import { typeOf, type Json } from '../../connection/values/json.ts'
import type { Target } from '../../connection/target.ts'
import { defineProbe } from '../probe.ts'
import { tally, valuesOf } from '../reading.ts'

const NUMERIC = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/
const FRACTION = 'numeric text with a fraction'
const WHOLE = 'numeric text'

function kindOf(value: Json): string {
  if (typeof value !== 'string') return typeOf(value)
  if (!NUMERIC.test(value)) return 'text'
  return value.includes('.') ? FRACTION : WHOLE
}

const some = (kinds: readonly string[], ...wanted: string[]): boolean =>
  kinds.some((kind) => wanted.includes(kind))

export const probe = defineProbe('quantity-data.value', {
  read: async (t: Target) => {
    const kinds = (await valuesOf(t, 'v_bioprocess_quantity_data', 'value')).map(kindOf)
    return some(kinds, 'number', WHOLE, FRACTION) ? kinds : undefined
  },
  seen: tally,
  variants: {
    mixed: (kinds) => some(kinds, 'number') && some(kinds, WHOLE, FRACTION),
    number: (kinds) => some(kinds, 'number') && !some(kinds, WHOLE, FRACTION),
    string: (kinds) => !some(kinds, 'number') && some(kinds, WHOLE),
    'decimal-string': (kinds) => !some(kinds, 'number', WHOLE) && some(kinds, FRACTION),
  },
})

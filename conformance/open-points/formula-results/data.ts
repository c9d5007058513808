import { typeOf } from '../../connection/values/json.ts'
import type { Target } from '../../connection/target.ts'
import { defineProbe } from '../probe.ts'
import { filledIn, haveKeys, objectsIn, shapeOf, unlessEmpty, valuesOf } from '../reading.ts'

export const probe = defineProbe('formula-results.data', {
  read: async (t: Target) => unlessEmpty(filledIn(await valuesOf(t, 'v_formula_results', 'data'))),
  seen: shapeOf,
  variants: {
    value: (values) => haveKeys(values, ['value']),
    'value-unit': (values) => haveKeys(values, ['value', 'unit']),
    'value-unit-r2-n': (values) => {
      const regressions = objectsIn(values).filter((object) => 'r2' in object || 'n' in object)
      return (
        haveKeys(values, ['value', 'unit'], ['r2', 'n']) &&
        haveKeys(regressions, ['value', 'unit', 'r2', 'n'])
      )
    },
    'bare-number': (values) => values.every((value) => typeOf(value) === 'number'),
  },
})

import { typeOf, type JsonObject } from '../../connection/values/json.ts'
import type { Target } from '../../connection/target.ts'
import { defineProbe } from '../probe.ts'
import { haveKeys, keysIn, objectsIn, unlessEmpty, valuesOf } from '../reading.ts'

const withKeys = (objects: readonly JsonObject[]) =>
  objects.filter((object) => Object.keys(object).length > 0)

const hold = (objects: readonly JsonObject[], type: string): boolean =>
  objects.flatMap((object) => Object.values(object)).every((value) => typeOf(value) === type)

export const probe = defineProbe('base-units.shape', {
  read: async (t: Target) => unlessEmpty(objectsIn(await valuesOf(t, 'v_quantities', 'base_units'))),
  seen: keysIn,
  variants: {
    empty: (objects) => withKeys(objects).length === 0,
    'exponent-map': (objects) => withKeys(objects).length > 0 && hold(objects, 'number'),
    'unit-text': (objects) => haveKeys(withKeys(objects), ['unit']) && hold(objects, 'string'),
  },
})

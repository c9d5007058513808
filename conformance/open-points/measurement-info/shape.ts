import { typeOf, type Json } from '../../connection/values/json.ts'
import type { Target } from '../../connection/target.ts'
import { defineProbe } from '../probe.ts'
import { areNull, haveKeys, objectsIn, shapeOf, typesOf, unlessEmpty, valuesOf } from '../reading.ts'

const labelsIn = (values: readonly Json[]): Json[] => objectsIn(values).map(({ labels = null }) => labels)

const haveLabels = (type: string) => (values: readonly Json[]) =>
  haveKeys(values, ['labels']) && labelsIn(values).every((labels) => typeOf(labels) === type)

export const probe = defineProbe('measurement-info.shape', {
  read: async (t: Target) => unlessEmpty(await valuesOf(t, 'v_bioprocess_quantity_data', 'measurement_info')),
  seen: (values) =>
    areNull(values) ? shapeOf(values) : `${shapeOf(values)}; labels: ${typesOf(labelsIn(values))}`,
  variants: {
    null: areNull,
    'labels-list': haveLabels('array'),
    'labels-map': haveLabels('object'),
  },
})

import { isSetting, openPoints, type OpenPoint, type Variant } from '../../../schemas/open-points.ts'
import { faultHabits } from './faults.ts'
import type { Habit } from './types.ts'

/** No client can read what its token may not, or go on with a token that has expired. */
const WITHHELD = new Set([
  'auth.permission=401-mid-run',
  'auth.permission=403',
  'auth.permission=permission-denied',
  'auth.permission=rows-filtered',
])

/** Every way in which a service may differ from the default settings: one habit for each variant, then the faults. */
export const habits: readonly Habit[] = [
  ...openPoints
    .filter(({ id }) => isSetting(id))
    .flatMap((point) =>
      (point.variants as readonly Variant[])
        .filter(({ slug }) => slug !== point.default)
        .map((variant) => variantHabit(point, variant)),
    ),
  ...faultHabits,
]

function variantHabit({ id: point, question }: OpenPoint, { slug, text, standing }: Variant): Habit {
  const id = `${point}=${slug}`
  return {
    id,
    title: `${question} ${text}`,
    standing: WITHHELD.has(id) ? 'fault' : standing,
    variants: { [point]: slug },
    faults: [],
  }
}

import { showsInRows } from '../../../mock/open-points/shows-in-rows.ts'
import { settingVariants } from '../../../schemas/index.ts'

/** Variants that withhold rows, lose nulls, or send numbers that are not JSON. */
const OTHER_ROWS = [
  'auth.permission=',
  'numbers.non-finite=bare-nan',
  'numbers.non-finite=error',
  'rows.nulls=empty-string',
]

/** Variants under which a service sends the same rows, however it sends them. */
export const sameRows: readonly (readonly [id: string, variant: string])[] = Object.entries(settingVariants)
  .flatMap(([id, variants]) => variants.slice(1).map((variant) => [id, variant] as const))
  .filter(([id, variant]) => !showsInRows(id, variant))
  .filter(([id, variant]) => OTHER_ROWS.every((start) => !`${id}=${variant}`.startsWith(start)))

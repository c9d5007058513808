import { implement } from '../implement.ts'
import type { ViewChanges } from '../view-change.ts'
import { SqlError } from '../../statement.ts'

/** How NaN and the infinities are written, for which JSON has no number. */
export interface NonFinite {
  /** @throws SqlError if such a value is an error */
  readonly json: (text: string) => string
  readonly views?: ViewChanges
}

/** NaN where a number is missing, as in a database that was filled from a data frame. */
const views: ViewChanges = {
  v_quantities: { columns: { molar_mass: (own) => `coalesce(${own}, 'NaN')` } },
  v_timeseries_data: { columns: { value: (own) => `coalesce(${own}, 'NaN')` } },
}

export const nonFiniteNumbers = implement<'numbers.non-finite', NonFinite>('numbers.non-finite', {
  null: { json: () => 'null' },
  'quoted-nan': { json: (text) => `"${text}"`, views },
  'bare-nan': { json: (text) => text, views },
  error: {
    json: (text) => {
      throw new SqlError('other', `A value of the result is ${text}, which JSON cannot hold.`, '22003')
    },
  },
})

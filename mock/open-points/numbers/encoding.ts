import { implement } from '../implement.ts'
import type { ViewChanges } from '../view-change.ts'

/** How numbers are written. The functions take the text of PostgreSQL and keep its digits, so the value stays exact. */
export interface NumberEncoding {
  /** A number in a column; undefined: as PostgreSQL prints it. */
  readonly inColumn?: (text: string) => string
  /** A number inside a JSON value; undefined: as PostgreSQL prints it. */
  readonly inJson?: (text: string) => string
  readonly views?: ViewChanges
}

const withDecimalPoint = (text: string) => (/^-?\d+$/.test(text) ? `${text}.0` : text)
const withExponent = (text: string) => (/e/i.test(text) ? text : `${text}e0`)

export const numberEncoding = implement<'numbers.encoding', NumberEncoding>('numbers.encoding', {
  number: {},
  // as drivers do, which leave the numbers inside JSON as they are
  string: { inColumn: (text) => `"${text}"` },
  'decimal-point': { inColumn: withDecimalPoint, inJson: withDecimalPoint },
  exponent: { inColumn: withExponent, inJson: withExponent },
  // above 2^53 and some of them odd: a reader with 53 bits gets another number
  'big-integer': {
    views: {
      v_quantities: {
        columns: { molar_mass: (own) => `9007199254740992 + round(${own}::numeric * 1000)` },
      },
    },
  },
})

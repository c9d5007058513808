import { dateLiterals } from '../../../schemas/reading/date-literals.ts'

/** A notation for dates in statements. The contract asks for a date literal without an example (delta.literal). */
export interface DateSpelling {
  variant: string
  /** @param date `YYYY-MM-DD` */
  write(date: string): string
}

/** Common notations, the simplest first. Each means midnight at the start of the day. */
export const dateSpellings: readonly DateSpelling[] = Object.entries(dateLiterals).map(
  ([variant, literal]) => ({ variant, write: (date) => literal(date, '00:00:00') }),
)

/** Older than any row, for a delta with all rows. A leap day, which some services do not know, after 1970 in every time zone. */
export const LONG_AGO = '1972-02-29'

/** A date that no row has reached: a year from now. */
export const inAYear = (): string => new Date(Date.now() + 366 * 86_400_000).toISOString().slice(0, 10)

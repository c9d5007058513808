import type { VariantOf } from '../open-points.ts'

/** A notation of date literals; a service of the variant `all` reads each of them. */
export type DateNotation = Exclude<VariantOf<'delta.literal'>, 'all'>

/** How each variant of delta.literal writes a UTC date (`YYYY-MM-DD`) and time of day (`hh:mm:ss`), the simplest first. */
export const dateLiterals: Readonly<Record<DateNotation, (date: string, time: string) => string>> = {
  'quoted-date': (date) => `'${date}'`,
  'iso-date-time': (date, time) => `'${date}T${time}Z'`,
  'space-date-time': (date, time) => `'${date} ${time}'`,
  'date-keyword': (date) => `DATE '${date}'`,
  'timestamp-keyword': (date, time) => `TIMESTAMP '${date} ${time}'`,
}

/** Whether a variant of delta.literal is a notation. */
export const isDateNotation = (variant: string): variant is DateNotation =>
  Object.hasOwn(dateLiterals, variant)

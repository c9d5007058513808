import { implement } from '../implement.ts'

/** Shortens the JSON text of a timestamp. */
export const printedPrecision = implement<'delta.precision', undefined | ((json: string) => string)>(
  'delta.precision',
  {
    full: undefined,
    'printed-millis': (json) => json.replace(/(\.\d{3})\d+/, '$1'),
  },
)

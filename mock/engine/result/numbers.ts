import type { RowFormat } from './row-format.ts'

/**
 * JSON text of a number, from the text of PostgreSQL. The value stays exact.
 *
 * @throws SqlError for NaN and the infinities, if the format makes them an error
 */
export function numberJson(
  text: string,
  { numberInColumn, nonFinite }: Pick<RowFormat, 'numberInColumn' | 'nonFinite'>,
): string {
  if (text === 'NaN' || text.endsWith('Infinity')) return nonFinite(text)
  return numberInColumn ? numberInColumn(text) : text
}

/** A string with its escapes, or a number. */
const stringOrNumber = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g

/** JSON text with its numbers written by a function. */
export const withNumbers = (json: string, write: (number: string) => string): string =>
  json.replace(stringOrNumber, (token) => (token.startsWith('"') ? token : write(token)))

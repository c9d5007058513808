import { type RowFormat, SqlError } from './engine.ts'

type Numbers = RowFormat['numbers']

/**
 * JSON text of a number, from the text PostgreSQL prints. Only what stands around its digits changes: the value
 * stays exact.
 *
 * @throws SqlError for NaN and the infinities, where the format makes them an error
 */
export function numberJson(
  text: string,
  { numbers, nonFinite }: Pick<RowFormat, 'numbers' | 'nonFinite'>,
): string {
  if (text === 'NaN' || text.endsWith('Infinity')) return nonFiniteJson(text, nonFinite)
  return numbers === 'string' ? `"${text}"` : written(text, numbers)
}

function nonFiniteJson(text: string, nonFinite: RowFormat['nonFinite']): string {
  switch (nonFinite) {
    case 'null':
      return 'null'
    case 'quoted-nan':
      return `"${text}"`
    case 'bare-nan':
      return text
    case 'error':
      throw new SqlError('other', `A value of the result is ${text}, which JSON can not hold.`, '22003')
  }
}

/** A string with its escapes, or a number. */
const stringOrNumber = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g

/** JSON text with its numbers written in another way. Drivers make strings of numbers in columns, not of those inside JSON. */
export function withNumbers(json: string, numbers: Numbers): string {
  if (numbers !== 'decimal-point' && numbers !== 'exponent') return json
  return json.replace(stringOrNumber, (token) => (token.startsWith('"') ? token : written(token, numbers)))
}

function written(text: string, numbers: Numbers): string {
  if (numbers === 'decimal-point') return /^-?\d+$/.test(text) ? `${text}.0` : text
  return numbers === 'exponent' && !/e/i.test(text) ? `${text}e0` : text
}

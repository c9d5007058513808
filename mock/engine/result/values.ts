import { numberJson, withNumbers } from './numbers.ts'
import type { RowFormat } from './row-format.ts'
import { timestampJson } from './timestamps.ts'
import { type Encoding, elementEncodingOf, encodingOf } from './types.ts'

/** How values are written. */
export type ValueFormat = Pick<
  RowFormat,
  'timestamp' | 'precision' | 'numberInColumn' | 'numberInJson' | 'nonFinite' | 'json'
>

/**
 * JSON text of one value of the type `oid`, from the text PostgreSQL prints.
 *
 * @throws SqlError for a number that is not finite, if the format makes that an error
 */
export function valueJson(text: string, oid: number, format: ValueFormat): string {
  const encoding = encodingOf(oid)
  if (encoding === 'array') return arrayJson(text, elementEncodingOf(oid), format)
  return scalarJson(text, encoding, format)
}

function scalarJson(text: string, encoding: Encoding, format: ValueFormat): string {
  switch (encoding) {
    case 'boolean':
      return text === 't' ? 'true' : 'false'
    case 'number':
    case 'integer':
      return numberJson(text, format)
    case 'json':
      return jsonJson(text, format)
    case 'timestamptz':
    case 'timestamp':
      return timestampJson(text, format)
    case 'date':
      return text.endsWith('infinity') ? 'null' : JSON.stringify(text)
    default:
      return JSON.stringify(text)
  }
}

function jsonJson(text: string, { numberInJson, json }: ValueFormat): string {
  const written = numberInJson ? withNumbers(text, numberInJson) : text
  return json ? json(written) : written
}

/**
 * An array literal such as `{a,"b c",NULL}` as a JSON array, nested if it has more dimensions. Explicit
 * lower bounds (`[0:1]={a,b}`) are dropped.
 */
function arrayJson(literal: string, element: Encoding, format: ValueFormat): string {
  let json = ''
  let at = literal.startsWith('[') ? literal.indexOf('=') + 1 : 0
  while (at < literal.length) {
    const char = literal.charAt(at)
    if (char === '{' || char === '}' || char === ',') {
      json += char === '{' ? '[' : char === '}' ? ']' : ','
      at++
      continue
    }
    const quoted = char === '"'
    let text = ''
    if (quoted) at++
    for (; at < literal.length; at++) {
      const next = literal.charAt(at)
      if (quoted ? next === '"' : next === ',' || next === '}') break
      text += next === '\\' ? literal.charAt(++at) : next
    }
    if (quoted) at++
    json += !quoted && text === 'NULL' ? 'null' : scalarJson(text, element, format)
  }
  return json
}

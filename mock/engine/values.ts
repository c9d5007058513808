import type { RowFormat } from './engine.ts'
import { timestampJson } from './timestamps.ts'
import { type Encoding, elementEncodingOf, encodingOf } from './types.ts'

/** JSON text of one value of the type `oid`, from the text PostgreSQL prints. */
export function valueJson(text: string, oid: number, timestamps: RowFormat['timestamps']): string {
  const encoding = encodingOf(oid)
  if (encoding === 'array') return arrayJson(text, elementEncodingOf(oid), timestamps)
  return scalarJson(text, encoding, timestamps)
}

function scalarJson(text: string, encoding: Encoding, timestamps: RowFormat['timestamps']): string {
  switch (encoding) {
    case 'boolean':
      return text === 't' ? 'true' : 'false'
    case 'number':
      return text === 'NaN' || text.endsWith('Infinity') ? 'null' : text
    case 'integer':
    case 'json':
      return text
    case 'timestamptz':
    case 'timestamp':
      return timestampJson(text, timestamps)
    case 'date':
      return text.endsWith('infinity') ? 'null' : JSON.stringify(text)
    default:
      return JSON.stringify(text)
  }
}

/**
 * An array literal such as `{a,"b c",NULL}` as a JSON array, nested where it has more dimensions. Explicit
 * lower bounds (`[0:1]={a,b}`) are dropped.
 */
function arrayJson(literal: string, element: Encoding, timestamps: RowFormat['timestamps']): string {
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
    json += !quoted && text === 'NULL' ? 'null' : scalarJson(text, element, timestamps)
  }
  return json
}

import type { RowFormat } from './row-format.ts'

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

/** How the text of a PostgreSQL value becomes JSON. */
export type Encoding =
  | 'text'
  | 'boolean'
  | 'integer'
  | 'number'
  | 'json'
  | 'timestamptz'
  | 'timestamp'
  | 'date'
  | 'array'

interface Type {
  readonly encoding: Encoding
  readonly oids: readonly number[]
  /** OIDs of the array types over `oids`, in the same order. */
  readonly arrays: readonly number[]
}

/** Source: pg_type.dat of PostgreSQL 18. Every other type is text. */
const types: readonly Type[] = [
  { encoding: 'boolean', oids: [16], arrays: [1000] },
  // int8, int2, int4, oid
  { encoding: 'integer', oids: [20, 21, 23, 26], arrays: [1016, 1005, 1007, 1028] },
  // float4, float8, numeric: they have NaN and the infinities, JSON does not
  { encoding: 'number', oids: [700, 701, 1700], arrays: [1021, 1022, 1231] },
  { encoding: 'json', oids: [114, 3802], arrays: [199, 3807] },
  { encoding: 'timestamptz', oids: [1184], arrays: [1185] },
  { encoding: 'timestamp', oids: [1114], arrays: [1115] },
  { encoding: 'date', oids: [1082], arrays: [1182] },
  // text, varchar, bpchar, name, uuid, time, timetz, interval
  {
    encoding: 'text',
    oids: [25, 1043, 1042, 19, 2950, 1083, 1266, 1186],
    arrays: [1009, 1015, 1014, 1003, 2951, 1183, 1270, 1187],
  },
]

const encodings = new Map<number, Encoding>()
const elements = new Map<number, Encoding>()
for (const { encoding, oids, arrays } of types) {
  for (const oid of oids) encodings.set(oid, encoding)
  for (const oid of arrays) {
    encodings.set(oid, 'array')
    elements.set(oid, encoding)
  }
}

/** The encoding of a type, by its OID. */
export function encodingOf(oid: number): Encoding {
  return encodings.get(oid) ?? 'text'
}

/** The encoding of the elements of an array type, by the OID of the array. */
export function elementEncodingOf(oid: number): Encoding {
  return elements.get(oid) ?? 'text'
}

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

/** A timestamp as PostgreSQL prints it in session time zone UTC; without time zone it has no offset. */
const pattern = /^(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?(\+00)?$/

/** The same in another session time zone. */
const zoned = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(\.\d{1,6})?([+-]\d\d)(?::(\d\d))?$/

/** The text in session time zone UTC; an unreadable text stays as it is. */
function inUtc(text: string): string {
  const match = zoned.exec(text)
  if (!match) return text
  const [, day, time, fraction = '', hours, minutes = '00'] = match
  const seconds = new Date(`${day}T${time}${hours}:${minutes}`)
  return `${seconds.toISOString().slice(0, 19).replace('T', ' ')}${fraction}+00`
}

/**
 * JSON text of a timestamp. Infinities become null; a year that ISO 8601 cannot write with four digits keeps the text
 * of the database.
 *
 * @param text as PostgreSQL prints it
 */
export function timestampJson(
  text: string,
  { timestamp, precision }: Pick<RowFormat, 'timestamp' | 'precision'>,
): string {
  const json = fullJson(text, timestamp)
  return precision ? precision(json) : json
}

function fullJson(text: string, write: RowFormat['timestamp']): string {
  if (text === 'infinity' || text === '-infinity') return 'null'
  const match = pattern.exec(text)
  if (!match) {
    const utc = inUtc(text)
    return utc === text ? JSON.stringify(text) : fullJson(utc, write)
  }
  const [, year, month, day, hour, minute, second, digits = '', zone] = match
  return write({
    seconds: text.slice(0, 19).replace(' ', 'T'),
    micros: digits.padEnd(6, '0'),
    isZoned: zone !== undefined,
    epochMs: Date.UTC(
      Number(year),
      Number(month) - 1,
      Number(day),
      Number(hour),
      Number(minute),
      Number(second),
    ),
  })
}

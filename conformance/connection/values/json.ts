import { isLosslessNumber, type LosslessNumber } from 'lossless-json'
import { concealed, tagOf } from '../redaction/disclosure.ts'
import { excerpt } from '../redaction/excerpt.ts'
import { echoed } from '../redaction/secrets.ts'

/** A JSON value whose numbers keep their source text, such as 9007199254740993 or 0.10. */
export type Json = null | boolean | string | LosslessNumber | Json[] | { [key: string]: Json }
export type JsonObject = { [key: string]: Json }

export type JsonType = 'null' | 'boolean' | 'string' | 'number' | 'array' | 'object'

/** The JSON type of a value. */
export function typeOf(value: Json): JsonType {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (isLosslessNumber(value)) return 'number'
  return typeof value as 'boolean' | 'string' | 'object'
}

export const isObject = (value: Json | undefined): value is JsonObject =>
  value !== undefined && typeOf(value) === 'object'

/** The value with JavaScript numbers, for schema validators and arithmetic. Loses digits beyond a double. */
export function plain(value: Json): unknown {
  if (value === null || typeof value !== 'object') return value
  if (isLosslessNumber(value)) return Number(value.value)
  if (Array.isArray(value)) return value.map(plain)
  const made: Record<string, unknown> = {}
  for (const key of Object.keys(value)) setMember(made, key, plain(value[key]!))
  return made
}

/** Sets a member of an object from a target. An assignment to `__proto__` would set the prototype. */
export function setMember<T>(object: Record<string, T>, key: string, value: T): void {
  if (key === '__proto__')
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true })
  else object[key] = value
}

/**
 * The canonical text of a JSON value: sorted keys, numbers as digits and exponent. Equal values have equal texts, and
 * 9007199254740993 differs from 9007199254740992.
 */
export function canonical(value: Json): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (isLosslessNumber(value)) return canonicalNumber(value.value)
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  let members = ''
  for (const key of Object.keys(value).sort())
    members += `${members && ','}${JSON.stringify(key)}:${canonical(value[key]!)}`
  return `{${members}}`
}

/** `-1.50e3` -> `-15e2`: significant digits and a power of ten. */
function canonicalNumber(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? []
  const digits = (whole + fraction).replace(/^0+/, '')
  let end = digits.length
  // A pattern would take time quadratic in the number of zeros.
  while (digits[end - 1] === '0') end--
  const significant = digits.slice(0, end)
  if (significant === '') return '0'
  return `${sign}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`
}

/**
 * A row value as text for a message: its JSON, cut after `length` characters. Concealed if the run conceals row values
 * (see disclosure.ts).
 */
export function show(value: Json | number | undefined, length = 120): string {
  if (value === undefined) return 'nothing'
  const whole = written(value, (text) => text)
  const shape = written(value, concealed)
  return shape === whole ? excerpt(echoed(whole), length) : `${excerpt(shape, length)} #${tagOf(whole)}`
}

/** Like {@link show} for values outside rows, such as members of `status`: never concealed. */
export const showPlain = (value: Json | undefined, length = 120): string =>
  value === undefined ? 'nothing' : excerpt(echoed(written(value, (text) => text)), length)

/** The JSON text of a value; `leaf` maps its strings and numbers. Keys stay. */
function written(value: Json | number, leaf: (text: string) => string): string {
  if (value === null || typeof value === 'boolean') return String(value)
  if (typeof value === 'number') return leaf(String(value))
  if (isLosslessNumber(value)) return leaf(value.value)
  if (typeof value === 'string') return leaf(JSON.stringify(value))
  if (Array.isArray(value)) return `[${value.map((item) => written(item, leaf)).join()}]`
  const members = Object.entries(value as JsonObject)
  return `{${members.map(([key, item]) => `${JSON.stringify(key)}:${written(item, leaf)}`).join()}}`
}

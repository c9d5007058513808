import { isLosslessNumber } from 'lossless-json'
import { hasZone, instantOf } from '../connection/values/instant.ts'
import { isObject, type Json } from '../connection/values/json.ts'

/**
 * Whether two values are the same: the contract does not say that two statements spell a value alike. Numbers are equal as
 * doubles, timestamps as instants to the last digit that both print. A timestamp without a zone may be in any zone. A missing
 * member equals null (rows.nulls).
 */
export function isSameValue(one: Json | undefined, other: Json | undefined): boolean {
  const a = one ?? null
  const b = other ?? null
  if (a === b) return true
  if (typeof a === 'string' && typeof b === 'string') return isSameInstant(a, b)
  if (isLosslessNumber(a) && isLosslessNumber(b)) return Number(a.value) === Number(b.value)
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => isSameValue(item, b[index]))
  if (isObject(a) && isObject(b))
    return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((key) => isSameValue(a[key], b[key]))
  return false
}

/** {@link isSameValue}, also if one is a number and the other its text, or texts have other code points for the same characters. */
export function isSameText(one: Json, other: Json): boolean {
  if (isSameValue(one, other)) return true
  const [a, b] = [one, other].map((value) => (isLosslessNumber(value) ? value.value : value))
  if (typeof a !== 'string' || typeof b !== 'string') return false
  return isLosslessNumber(one) === isLosslessNumber(other)
    ? a.normalize('NFC') === b.normalize('NFC')
    : a.trim() !== '' && b.trim() !== '' && Number(a) === Number(b)
}

function isSameInstant(one: string, other: string): boolean {
  const [a, b] = [instantOf(one), instantOf(other)]
  if (a === undefined || b === undefined) return false
  const apart = a > b ? a - b : b - a
  if (apart > FARTHEST) return false
  // Fewer digits may be cut or rounded.
  const unit = 10n ** BigInt(9 - Math.min(digitsOf(one), digitsOf(other)))
  if (apart < unit) return true
  if (hasZone(one) === hasZone(other)) return false
  const rest = apart % QUARTER
  return rest < unit || QUARTER - rest < unit
}

/** The offsets of zones are multiples of a quarter of an hour, and at most 14 hours; in nanoseconds. */
const QUARTER = 900_000_000_000n
const FARTHEST = 56n * QUARTER

/** The digits of the fraction of a second, up to nanoseconds. */
const digitsOf = (text: string): number => Math.min(9, /[.,](\d+)/.exec(text)?.[1]?.length ?? 0)

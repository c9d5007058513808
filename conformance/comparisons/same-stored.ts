import { isLosslessNumber } from 'lossless-json'
import { instantOf } from '../connection/instant.ts'
import { isObject, type Json } from '../connection/json.ts'
import { valueText } from './same-value.ts'

/**
 * Whether two values can be spellings of one stored value: numbers are equal as doubles, timestamps as instants to the
 * coarser of the two printed precisions, and a missing member equals null. The contract does not fix the spelling.
 */
export function sameStored(one: Json | undefined, other: Json | undefined): boolean {
  const [a, b] = [one ?? null, other ?? null]
  if (a === b) return true
  if (isLosslessNumber(a) && isLosslessNumber(b)) return Number(a.value) === Number(b.value)
  if (typeof a === 'string' && typeof b === 'string') return sameInstant(a, b)
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => sameStored(item, b[index]))
  if (isObject(a) && isObject(b))
    return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((key) => sameStored(a[key], b[key]))
  return valueText(a) === valueText(b)
}

function sameInstant(one: string, other: string): boolean {
  const [a, b] = [instantOf(one), instantOf(other)]
  if (a === undefined || b === undefined) return false
  const digits = Math.min(fractionOf(one), fractionOf(other))
  const unit = 10n ** BigInt(9 - digits)
  // A server may round or truncate.
  return a - b < unit && b - a < unit
}

/** The number of printed digits of a second, at most 9. */
const fractionOf = (text: string): number => Math.min(/[.,](\d+)/.exec(text)?.[1]!.length ?? 0, 9)

import { isIso8601, isIso8601Zoned } from '../base/time/timestamp.ts'

/**
 * The formats of the schemas. Those of rows follow the contract, which says ISO 8601; other schemas have the `date-time` of JSON Schema,
 * which every validator knows. Ours reads a little more than RFC 3339: seconds may be missing.
 */
export const formats = {
  iso8601: isIso8601,
  'iso8601-zoned': isIso8601Zoned,
  'date-time': isIso8601Zoned,
}

import { isIso8601, isIso8601Zoned } from '../base/time/timestamp.ts'

/** What our validators check in place of the patterns, which do not know the lengths of months and let extended and basic format mix. */
export const formats = { iso8601: isIso8601, 'iso8601-zoned': isIso8601Zoned }

const date =
  '([+-][0-9]{2})?[0-9]{4}-?((0[1-9]|1[0-2])-?(0[1-9]|[12][0-9]|3[01])|[0-3][0-9]{2}|W[0-5][0-9]-?[1-7])'
const time = 'T([01][0-9]|2[0-4])(:?[0-5][0-9](:?([0-5][0-9]|60))?)?([.,][0-9]+)?'
const zone = '(Z|[+-]([01][0-9]|2[0-3])(:?[0-5][0-9])?)'

/** The patterns of timestamps in the schemas, in place of a `format` that other validators do not know. */
export const timestampPatterns = {
  iso8601: `^${date}(${time}${zone}?)?$`,
  'iso8601-zoned': `^${date}${time}${zone}$`,
} as const

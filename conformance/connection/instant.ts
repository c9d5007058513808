/**
 * The instant a timestamp text names, in nanoseconds since 1970 UTC, or undefined where it names none.
 *
 * Reads more than the contract allows (a space for the T, a missing zone taken as UTC), because relations
 * between rows are judged apart from how their timestamps are written.
 */
export function instantOf(text: string): bigint | undefined {
  const match =
    /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?)? ?(Z|[+-]\d\d(?::?\d\d)?)?$/.exec(
      text,
    )
  if (!match) return undefined
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', zone = 'Z'] = match
  const milliseconds = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
  )
  return (
    BigInt(milliseconds) * 1_000_000n +
    BigInt(fraction.padEnd(9, '0').slice(0, 9)) -
    BigInt(offsetMinutes(zone)) * 60_000_000_000n
  )
}

/** Whether the text says which zone it is in. */
export const isZoned = (text: string): boolean => /(Z|[+-]\d\d(:?\d\d)?)$/.test(text.slice(10))

function offsetMinutes(zone: string): number {
  if (zone === 'Z') return 0
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3).replace(':', '') || '0')
  return zone.startsWith('-') ? -minutes : minutes
}

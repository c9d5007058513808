/**
 * The wait that a Retry-After header requests, in milliseconds: a number of seconds or a date (RFC 9110, 10.2.3).
 * A date in the past is 0. Undefined if the header is missing or invalid.
 *
 * @param now milliseconds since 1970
 */
export function retryAfterMs(headers: Headers, now = Date.now()): number | undefined {
  const value = headers.get('retry-after')
  if (value === null) return undefined
  if (/^\s*\d+\s*$/.test(value)) return Number(value) * 1000
  // Date.parse also takes numbers for dates
  const date = /[a-z]/i.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

import { InvalidArgumentError, Option } from 'commander'
import { contract } from '../schemas/contract.ts'

const UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000 }

/** `500ms`, `30s`, `2m` in milliseconds. */
export function duration(text: string): number {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(ms|s|m)$/.exec(text) ?? []
  const milliseconds = Number(amount) * (UNITS[unit ?? ''] ?? Number.NaN)
  if (!(milliseconds > 0))
    throw new InvalidArgumentError('Write a positive number with its unit: 500ms, 30s or 2m.')
  return milliseconds
}

/** As {@link duration}, and `0s` for none. */
export const durationOrNone = (text: string): number => (/^0(ms|s|m)$/.test(text) ? 0 : duration(text))

/** `id:secret`; the secret may hold further colons. */
export function client(text: string): { id: string; secret: string } {
  const [, id, secret] = /^([^:]+):(.+)$/s.exec(text) ?? []
  if (id === undefined || secret === undefined) throw new InvalidArgumentError('Write it as id:secret.')
  return { id, secret }
}

export function integer(text: string): number {
  const value = Number(text)
  if (!/^-?\d+$/.test(text) || !Number.isSafeInteger(value))
    throw new InvalidArgumentError('Write a whole number.')
  return value
}

/** A whole number from 1 on. */
export function count(text: string): number {
  const value = integer(text)
  if (value < 1) throw new InvalidArgumentError('Write a whole number from 1 on.')
  return value
}

/** A number from 0 on, repetitions for instance. */
export function natural(text: string): number {
  const value = integer(text)
  if (value < 0) throw new InvalidArgumentError('Write a whole number from 0 on.')
  return value
}

/** How much data: 0.01 to 100, see the fixtures. */
export function scale(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !(value >= 0.01 && value <= 100))
    throw new InvalidArgumentError('Write a scale factor from 0.01 to 100.')
  return value
}

/** The most that the embedded database is known to take in a few minutes: 2.5 million points (measured). */
const MOST_EMBEDDED = 3

/** How much data a server on its embedded database holds. */
export function embeddedScale(text: string): number {
  const value = scale(text)
  if (value > MOST_EMBEDDED)
    throw new InvalidArgumentError(
      `The embedded database takes a scale factor up to ${MOST_EMBEDDED}. For more, export files with \`fixtures\` and load them into a PostgreSQL.`,
    )
  return value
}

/** Plant seconds in a second. */
export function speed(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !(value > 0 && value <= 100_000))
    throw new InvalidArgumentError('Write plant seconds in a second: a number above 0, at most 100000.')
  return value
}

export function instant(text: string): string {
  if (
    !/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text) ||
    Number.isNaN(Date.parse(text))
  )
    throw new InvalidArgumentError('Write a time with its zone, for instance 2026-01-01T00:00:00Z.')
  return text
}

/** Collects a repeatable option. */
export const repeatable = (text: string, before: string[] = []): string[] => [...before, text]

/** Collects `name<separator>value` pairs. */
export const pairs =
  (separator: string, example: string) =>
  (text: string, before: Record<string, string> = {}): Record<string, string> => {
    const at = text.indexOf(separator)
    if (at < 1) throw new InvalidArgumentError(`Write it as ${example}.`)
    return { ...before, [text.slice(0, at).trim()]: text.slice(at + 1).trim() }
  }

/** `--time-limit`, by default the contract's. */
export const timeLimitOption = (description: string): Option =>
  new Option('--time-limit <duration>', description)
    .argParser(duration)
    .default(contract.limits.executionMs, `${contract.limits.executionMs / 1000}s`)

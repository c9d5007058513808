import { InvalidArgumentError, Option } from 'commander'
import { asOfTime } from '../../fixtures/as-of.ts'
import { lastHour } from '../../fixtures/default-plant.ts'
import { contract } from '../../schemas/contract.ts'
import { durationIn, longestTimerMs } from '../../base/time/duration.ts'
import { CommandError, EXIT } from '../exit.ts'

/** The milliseconds of `500ms`, `30s`, `2m` or `1h`. */
export function duration(text: string): number {
  const milliseconds = durationIn(text) ?? 0
  if (milliseconds <= 0)
    throw new InvalidArgumentError('Write a positive number with a unit: 500ms, 30s, 2m or 1h.')
  if (milliseconds > longestTimerMs)
    throw new InvalidArgumentError(`Write at most ${longestTimerMs}ms, which are 24 days.`)
  return milliseconds
}

/** Like {@link duration}, and also accepts `0s`. */
export const durationOrZero = (text: string): number => (durationIn(text) === 0 ? 0 : duration(text))

/** `id:secret`; the secret may contain colons. The error does not repeat the text, as an InvalidArgumentError does. */
export function client(text: string): { id: string; secret: string } {
  const [, id, secret] = /^([^:]+):(.+)$/s.exec(text) ?? []
  if (id === undefined || secret === undefined)
    throw new CommandError('--client has no colon. Write id:secret.', EXIT.usage)
  return { id, secret }
}

export function integer(text: string): number {
  const value = Number(text)
  if (!/^-?\d+$/.test(text) || !Number.isSafeInteger(value))
    throw new InvalidArgumentError('Write a whole number.')
  return value
}

const integerFrom =
  (least: number) =>
  (text: string): number => {
    const value = integer(text)
    if (value < least) throw new InvalidArgumentError(`Write a whole number of at least ${least}.`)
    return value
  }

/** An integer of at least 1. */
export const count = integerFrom(1)

/** Most engines or threads: thousands would fill the memory. */
const MAX_WORKERS = 64

/** The number of engines or threads. */
export function workers(text: string): number {
  const value = integer(text)
  if (value >= 1 && value <= MAX_WORKERS) return value
  throw new InvalidArgumentError(`Write a whole number from 1 to ${MAX_WORKERS}.`)
}

/** An integer of at least 0. */
export const natural = integerFrom(0)

/** The size of the plant, 0.01 to 100; see fixtures/plan.ts. */
export function scale(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !(value >= 0.01 && value <= 100))
    throw new InvalidArgumentError('Write a scale from 0.01 to 100.')
  return value
}

/** The largest scale that the embedded database loads in a few minutes: 2.5 million points (measured). */
const MAX_EMBEDDED_SCALE = 3

/** The size of the plant that a server holds in its embedded database. */
export function embeddedScale(text: string): number {
  const value = scale(text)
  if (value > MAX_EMBEDDED_SCALE)
    throw new InvalidArgumentError(
      `The embedded database supports a scale of at most ${MAX_EMBEDDED_SCALE}. For more, run \`fixtures export\` and load the files into PostgreSQL.`,
    )
  return value
}

/** Seconds of simulated time for each second of real time. */
export function speed(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !(value > 0 && value <= 100_000))
    throw new InvalidArgumentError('Give a speed-up factor greater than 0 and at most 100000.')
  return value
}

/** A timestamp with its zone, or `now`: the last full hour. */
export function endOfData(text: string): string {
  if (text === 'now') return lastHour()
  try {
    asOfTime('--as-of', text)
  } catch (error) {
    throw new InvalidArgumentError((error as RangeError).message)
  }
  return text
}

/** The parsers of repeatable options; `separator` is between the two parts of a value, if it has two. */
const collectors = new WeakMap<object, { separator?: string }>()

/** Marks the parser of a repeatable option, so that a config file may have a list, or an object of the two parts. */
export function collecting<Parser extends object>(parser: Parser, separator?: string): Parser {
  collectors.set(parser, separator === undefined ? {} : { separator })
  return parser
}

/** What {@link collecting} marked; undefined for any other parser. */
export const collectorOf = (parser: unknown): { separator?: string } | undefined =>
  typeof parser === 'function' ? collectors.get(parser) : undefined

/** Collects a repeatable option. */
export const repeatable = collecting((text: string, before: string[] = []): string[] => [...before, text])

/** Collects `name<separator>value` pairs. An error does not repeat the text, which may be a secret. */
export const pairs = (separator: string, example: string) =>
  collecting((text: string, before: Record<string, string> = {}): Record<string, string> => {
    const at = text.indexOf(separator)
    if (at < 1)
      throw new CommandError(`An option has no "${separator}" after a name. Write ${example}.`, EXIT.usage)
    return { ...before, [text.slice(0, at).trim()]: text.slice(at + 1).trim() }
  }, separator)

/** `--time-limit`; its default is the limit of the contract. */
export const timeLimitOption = (description: string): Option =>
  new Option('--time-limit <duration>', description)
    .argParser(duration)
    .default(contract.limits.executionMs, `${contract.limits.executionMs / 1000}s`)

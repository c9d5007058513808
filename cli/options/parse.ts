import { InvalidArgumentError, Option } from 'commander'
import { betweenCommas } from '../../base/text/between-commas.ts'
import { durationIn, longestTimerMs, units } from '../../base/time/duration.ts'
import { asOfTime } from '../../fixtures/as-of.ts'
import { lastHour } from '../../fixtures/default-plant.ts'
import { contract } from '../../schemas/contract.ts'
import { CommandError, EXIT } from '../exit.ts'
import { fromEnvironment, type Kind, ofKind, type Schema } from './kind.ts'

const ofTime: Kind = {
  schema: { type: 'string', pattern: String.raw`^\d+(\.\d+)?(${Object.keys(units).join('|')})$|\$\{\w+\}` },
}

/** The milliseconds of `500ms`, `30s`, `2m`, `1h` or `1d`. */
export const duration = ofKind(ofTime, (text: string): number => {
  const milliseconds = durationIn(text) ?? 0
  if (milliseconds <= 0)
    throw new InvalidArgumentError('Write a positive number with a unit: 500ms, 30s, 2m, 1h or 1d.')
  if (milliseconds > longestTimerMs)
    throw new InvalidArgumentError(`Write at most ${longestTimerMs}ms, which are 24 days.`)
  return milliseconds
})

/** Like {@link duration}, and also accepts `0s`. */
export const durationOrZero = ofKind(ofTime, (text: string): number =>
  durationIn(text) === 0 ? 0 : duration(text),
)

const ofNumber = (schema: Schema): Kind => ({ schema: { anyOf: [schema, fromEnvironment] } })

/** @param bounds both of them, a minimum alone or none */
const whole = (bounds: { minimum?: number; maximum?: number } = {}) =>
  ofKind(ofNumber({ type: 'integer', ...bounds }), (text: string): number => {
    const { minimum = -Infinity, maximum = Infinity } = bounds
    const value = Number(text)
    if (!/^-?\d+$/.test(text) || !Number.isSafeInteger(value))
      throw new InvalidArgumentError('Write a whole number.')
    if (value >= minimum && value <= maximum) return value
    const range = maximum === Infinity ? `of at least ${minimum}` : `from ${minimum} to ${maximum}`
    throw new InvalidArgumentError(`Write a whole number ${range}.`)
  })

/** A whole number. */
export const integer = whole()

/** An integer of at least 0. */
export const natural = whole({ minimum: 0 })

/** An integer of at least 1. */
export const count = whole({ minimum: 1 })

/** Requests per second: `4/s`, or `240/m` for a minute. */
export const rate = ofKind(
  { schema: { type: 'string', pattern: String.raw`^\d+(\.\d+)?/(s|m)$|\$\{\w+\}` } },
  (text: string): number => {
    const [, number, unit] = /^(\d+(?:\.\d+)?)\/(s|m)$/.exec(text) ?? []
    const perSecond = Number(number) / (unit === 'm' ? 60 : 1)
    if (!(perSecond > 0)) throw new InvalidArgumentError('Write requests per time: 4/s or 240/m.')
    return perSecond
  },
)

/** The number of engines or threads: thousands would fill the memory. */
export const workers = whole({ minimum: 1, maximum: 64 })

const [MIN_SCALE, MAX_SCALE] = [0.01, 100]

const ofScale = (maximum: number) => ofNumber({ type: 'number', minimum: MIN_SCALE, maximum })

/** The size of the plant; see fixtures/plan.ts. */
export const scale = ofKind(ofScale(MAX_SCALE), (text: string): number => {
  const value = Number(text)
  if (text.trim() === '' || !(value >= MIN_SCALE && value <= MAX_SCALE))
    throw new InvalidArgumentError(`Write a scale from ${MIN_SCALE} to ${MAX_SCALE}.`)
  return value
})

/** The largest scale that the embedded database loads in a few minutes: 2.5 million points (measured). */
const MAX_EMBEDDED_SCALE = 3

/** The size of the plant that a server holds in its embedded database. */
export const embeddedScale = ofKind(ofScale(MAX_EMBEDDED_SCALE), (text: string): number => {
  const value = scale(text)
  if (value > MAX_EMBEDDED_SCALE)
    throw new InvalidArgumentError(
      `The embedded database supports a scale of at most ${MAX_EMBEDDED_SCALE}. For more, run \`fixtures export\` and load the files into PostgreSQL.`,
    )
  return value
})

const MAX_SPEED = 100_000

/** Seconds of simulated time for each second of real time. */
export const speed = ofKind(
  ofNumber({ type: 'number', exclusiveMinimum: 0, maximum: MAX_SPEED }),
  (text: string): number => {
    const value = Number(text)
    if (text.trim() === '' || !(value > 0 && value <= MAX_SPEED))
      throw new InvalidArgumentError(`Give a speed-up factor greater than 0 and at most ${MAX_SPEED}.`)
    return value
  },
)

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

const textOf = (kind: Kind) => ofKind(kind, (text: string): string => text)

/** The name of a file to read. */
export const inputFile = textOf({ file: 'read' })

/** The name of a file or a folder to write. */
export const outputFile = textOf({ file: 'written' })

/** A text that no message repeats. A URL may hold a password. */
export const secret = textOf({ isSecret: true })

/** A secret, or `@FILE` to read it from a file. */
export const secretOrFile = textOf({ isSecret: true, file: '@' })

/** `id:secret`; the secret may contain colons. The error does not repeat the text, as an InvalidArgumentError does. */
export const client = ofKind({ isSecret: true }, (text: string): { id: string; secret: string } => {
  const [, id, secret] = /^([^:]+):(.+)$/s.exec(text) ?? []
  if (id === undefined || secret === undefined)
    throw new CommandError('--client has no colon. Write id:secret.', EXIT.usage)
  return { id, secret }
})

const texts: Schema = { type: 'array', items: { type: 'string' } }
const map: Schema = { type: 'object', additionalProperties: { type: 'string' } }

/** Makes a parser of a repeatable option from a function that adds one value to those before. */
export const collecting = <Values>(kind: Kind, add: (text: string, before?: Values) => Values) =>
  ofKind(
    {
      ...kind,
      isRepeatable: true,
      schema: { anyOf: [{ type: 'string' }, texts, ...(kind.separator === undefined ? [] : [map])] },
    },
    (text: string, before?: Values): Values => {
      const [first, ...rest] = kind.isList ? betweenCommas(text) : [text]
      return rest.reduce((all, one) => add(one, all), add(first!, before))
    },
  )

const append = (kind: Kind) =>
  collecting(kind, (text: string, before: string[] = []): string[] => [...before, text])

/** Collects texts; a comma is a part of a text. */
export const repeatable = append({})

/** Collects ids or names, also several in one value: `a,b`. */
export const names = append({ isList: true })

/** Collects names of files to read. */
export const inputFiles = append({ file: 'read' })

/** Collects secrets, or `@FILE` to read one from a file. */
export const secretsOrFiles = append({ isSecret: true, file: '@' })

/** Collects `name<separator>value` pairs. An error does not repeat the text, which may be a secret. */
export const pairs = (separator: string, example: string, kind: Kind = {}) =>
  collecting(
    { ...kind, separator },
    (text: string, before: Record<string, string> = {}): Record<string, string> => {
      const at = text.indexOf(separator)
      if (at < 1)
        throw new CommandError(`An option has no "${separator}" after a name. Write ${example}.`, EXIT.usage)
      return { ...before, [text.slice(0, at).trim()]: text.slice(at + 1).trim() }
    },
  )

/** `--time-limit`; its default is the limit of the contract. */
export const timeLimitOption = (description: string) =>
  new Option('--time-limit <duration>', description)
    .argParser(duration)
    .default(contract.limits.executionMs, `${contract.limits.executionMs / 1000}s`)

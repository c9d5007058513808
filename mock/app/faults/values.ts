/** How one parameter of a fault is written in text and held in JSON. */
export interface ValueType<T> {
  /** Undefined where the text is none of this type. */
  read(text: string): T | undefined
  write(value: T): string
  accepts(value: unknown): boolean
  /** What to write instead, to complete "Write ...". */
  readonly expects: string
}

const units: readonly (readonly [name: string, ms: number])[] = [
  ['h', 3_600_000],
  ['min', 60_000],
  ['m', 60_000],
  ['s', 1000],
  ['ms', 1],
]
const multiples: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  kb: 1e3,
  mb: 1e6,
  kib: 1024,
  mib: 1024 ** 2,
}

/** The longest time that a timer takes, in milliseconds. */
const longestMs = 2 ** 31 - 1

const unitMs = (name: string): number | undefined => units.find(([unit]) => unit === name)?.[1]

function readDuration(text: string): number | undefined {
  if (text === '0') return 0
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)([a-z]+)$/.exec(text) ?? []
  const ms = Number(amount) * (unitMs(unit) ?? Number.NaN)
  return isDuration(ms) ? ms : undefined
}

const isDuration = (ms: unknown): boolean => typeof ms === 'number' && ms >= 0 && ms <= longestMs

function writeDuration(ms: number): string {
  const [unit, length] = units.find(
    ([unit, length]) => unit !== 'min' && ms >= length && ms % length === 0,
  ) ?? ['ms', 1]
  return `${ms / length}${unit}`
}

function readBytes(text: string): number | undefined {
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?) ?([kKmM]?i?[bB]?)$/.exec(text) ?? []
  const bytes = Number(amount) * (multiples[unit.toLowerCase()] ?? Number.NaN)
  return Number.isSafeInteger(bytes) ? bytes : undefined
}

const writeBytes = (bytes: number): string =>
  bytes >= 1000 && bytes % 1000 === 0 ? `${bytes / 1000}KB` : `${bytes}`

const isWhole = (value: unknown, least: number, most = Number.MAX_SAFE_INTEGER): value is number =>
  Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most

/** A type whose text is read first and then accepted or not. */
const valueType = <T>(
  read: (text: string) => T | undefined,
  write: (value: T) => string,
  accepts: (value: unknown) => boolean,
  expects: string,
): ValueType<T> => ({
  read: (text) => {
    const value = read(text)
    return accepts(value) ? value : undefined
  },
  write,
  accepts,
  expects,
})

const readNumber = (text: string): number => (/^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN)

export const duration = valueType(
  readDuration,
  writeDuration,
  isDuration,
  'a time with its unit, such as 200ms or 2s',
)

type Range = number | readonly [number, number]
/** One time, or the least and the most. */
export const durationOrRange = valueType<Range>(
  (text) => {
    const [least, most, ...rest] = text.split('-').map(readDuration)
    if (least === undefined || rest.length > 0 || (text.includes('-') && most === undefined)) return undefined
    return most === undefined ? least : [least, most]
  },
  (value) => (typeof value === 'number' ? writeDuration(value) : value.map(writeDuration).join('-')),
  (value) =>
    isDuration(value) ||
    (Array.isArray(value) && value.length === 2 && value.every(isDuration) && value[0] <= value[1]),
  'a time or a range, such as 200ms or 50ms-400ms, or median=120ms,p99=900ms',
)

export const whole = (least: number, most?: number): ValueType<number> =>
  valueType(
    readNumber,
    String,
    (value) => isWhole(value, least, most),
    most === undefined ? `a whole number from ${least}` : `a whole number from ${least} to ${most}`,
  )

export const bytes = (least: number): ValueType<number> =>
  valueType(
    readBytes,
    writeBytes,
    (value) => isWhole(value, least),
    `bytes from ${least}, such as 1000 or 16KB`,
  )

export const byteRate = valueType(
  (text) => (text.endsWith('/s') ? readBytes(text.slice(0, -2)) : undefined),
  (value) => `${writeBytes(value)}/s`,
  (value) => isWhole(value, 1),
  'bytes a second, such as 100/s or 1KB/s',
)

export const probability = valueType(
  (text) => (text.endsWith('%') ? readNumber(text.slice(0, -1)) / 100 : readNumber(text)),
  String,
  (value) => typeof value === 'number' && value > 0 && value <= 1,
  'a probability above 0 and at most 1, such as 0.2 or 20%',
)

export const oneOf = (...choices: readonly string[]): ValueType<string> =>
  valueType(
    (text) => text,
    String,
    (value) => choices.includes(value as string),
    choices.length === 1 ? choices[0]! : `one of: ${choices.join(', ')}`,
  )

const readInstant = (text: string) => (/^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(text) ? text : undefined)
export const instant = valueType<string>(
  readInstant,
  String,
  (value) =>
    typeof value === 'string' && readInstant(value) !== undefined && !Number.isNaN(Date.parse(value)),
  'a time with its zone, such as 2026-01-01T00:00:00Z',
)

export const path = valueType<string>(
  (text) => text,
  String,
  (value) => typeof value === 'string' && /^\/[^\s,*?#]*\*?$/.test(value),
  'a path, such as /openapi.json or /schemas/*',
)

/** So many in a window: `[10, 1000]` for 10 a second. */
export const countPerWindow = valueType<readonly [number, number]>(
  (text) => {
    const [, count, window = ''] = /^(\d+)\/(\w+)$/.exec(text) ?? []
    return [Number(count), unitMs(window) ?? readDuration(window) ?? Number.NaN]
  },
  ([count, windowMs]) =>
    `${count}/${writeDuration(windowMs)
      .replace(/^1(?=[a-z])/, '')
      .replace(/m$/, 'min')}`,
  (value) => Array.isArray(value) && isWhole(value[0], 1) && isDuration(value[1]) && value[1] > 0,
  'requests in a window, such as 10/s or 100/min',
)

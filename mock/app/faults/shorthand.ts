import { durationIn, durationText } from '../../../base/time/duration.ts'
import { choosing, type FaultData, parametersOf } from './fault.ts'

/** The parameter that is written after the colon. Of `limit` it is two: `10/s`. */
const valueKeys: Readonly<Partial<Record<string, string>>> = {
  latency: 'delayMs',
  reset: 'afterBytes',
  limit: 'requests',
  status: 'status',
  truncate: 'bytes',
  drip: 'bytesPerSecond',
}

/** The name of a parameter in text: `retry-after` for `retryAfterMs`, '' for the value after the colon. */
export const nameOf = (type: string, key: string): string =>
  valueKeys[type] === key
    ? ''
    : key.replace(/Ms$/, '').replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** The parameters of a type by their names in text. */
export const namesOf = (type: FaultData['type']): ReadonlyMap<string, string> =>
  new Map(
    Object.keys(parametersOf(type))
      .filter((key) => key !== 'windowMs')
      .map((key) => [nameOf(type, key), key]),
  )

const sizes: Readonly<Record<string, number>> = { '': 1, b: 1, kb: 1e3, mb: 1e6, kib: 1024, mib: 1024 ** 2 }

/** A size as a number; any other text stays a text, which the schema rejects. */
function readSize(text: string): number | string {
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?) ?([a-z]*)$/.exec(text) ?? []
  return amount !== undefined && Object.hasOwn(sizes, unit) ? Number(amount) * sizes[unit]! : text
}

/** A duration in milliseconds; any other text stays a text. */
const readDuration = (text: string) => (text === '0' ? 0 : (durationIn(text) ?? text))

/** Reads a value by the unit that the name of its parameter ends in. */
function readValue(key: string, text: string): unknown {
  if (key === 'delayMs' && text.includes('-')) return text.split('-').map(readDuration)
  if (key.endsWith('Ms')) return readDuration(text)
  if (key === 'bytesPerSecond') return text.endsWith('/s') ? readValue('bytes', text.slice(0, -2)) : text
  if (/bytes$/i.test(key)) return readSize(text.toLowerCase())
  if (key === 'rate' && text.endsWith('%')) return Number(text.slice(0, -1)) / 100
  return /^\d+(\.\d+)?(e-?\d+)?$/.test(text) ? Number(text) : text
}

/** A value as text, which {@link readText} reads. */
export function writeValue(key: string, value: unknown): string {
  if (Array.isArray(value)) return value.map(durationText).join('-')
  if (key.endsWith('Ms')) return durationText(value as number)
  if (key === 'bytesPerSecond') return `${writeValue('bytes', value)}/s`
  const isKilobytes = /bytes$/i.test(key) && (value as number) >= 1000 && (value as number) % 1000 === 0
  return isKilobytes ? `${(value as number) / 1000}KB` : String(value)
}

/** One part of a fault in text. */
export interface Part {
  /** As it is written. */
  readonly text: string
  readonly name: string
  /** Its name in JSON; for an unknown name a key that no fault has. */
  readonly key: string
  readonly values: Readonly<Record<string, unknown>>
}

/** A comma does not end a regular expression. */
const part = /\s*(?:([\w-]+)\s*=\s*)?(\/(?:\\.|[^/\\])+\/[a-z]*(?=\s*(?:,|$))|[^,]*)(?:,|$)/gy

/** Reads `type:value,name=value,...` without judging it: the schema does. */
export function readText(text: string, isType: (type: string) => type is FaultData['type']) {
  const [, type = '', rest = ''] = /^([\w-]*)\s*[:,]?(.*)$/s.exec(text) ?? []
  const names = isType(type) ? namesOf(type) : new Map<string, string>()
  const found =
    rest === ''
      ? []
      : [...rest.matchAll(part)].map(([, name = '', value = '']) => ({ name, value: value.trim() }))
  const parts = found
    .filter(({ name, value }) => name !== '' || value !== '')
    .map(({ name, value }): Part => {
      const key = names.get(name) ?? `${name}=`
      const written = name === '' ? value : `${name}=${value}`
      return {
        text: written,
        name,
        key,
        values: key === 'requests' ? readLimit(value) : { [key]: readValue(key, value) },
      }
    })
  return { type, parts }
}

/** `10/s`, `100/5min`: requests in a window. */
function readLimit(text: string): Readonly<Record<string, unknown>> {
  const [requests = '', window = ''] = text.split('/', 2)
  return {
    requests: readValue('requests', requests),
    windowMs: readDuration(window.replace(/^(?=[a-z])/, '1')),
  }
}

/** A fault as text. `readFault` makes the same fault of it. */
export function writeFault(fault: FaultData): string {
  const { type, ...values } = fault as { type: FaultData['type'] } & Record<string, unknown>
  const parts = [...namesOf(type)].flatMap(([name, key]) => {
    if (values[key] === undefined) return []
    const text = key === 'requests' ? writeLimit(fault as never) : writeValue(key, values[key])
    return { text: name === '' ? text : `${name}=${text}`, key }
  })
  if (parts.length === 0) return type
  const head = choosing.includes(parts[0]!.key) ? `${type},` : `${type}:`
  return head + parts.map(({ text }) => text).join(',')
}

const writeLimit = ({ requests, windowMs }: { requests: number; windowMs: number }): string =>
  `${requests}/${durationText(windowMs)
    .replace(/^1(?=[a-z])/, '')
    .replace(/m$/, 'min')}`

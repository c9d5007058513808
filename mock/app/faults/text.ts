import { durationIn, durationText } from '../../../base/time/duration.ts'
import { choosing, type Fault, type FaultType, order, parametersOf } from './fault.ts'

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
export const namesOf = (type: FaultType): ReadonlyMap<string, string> =>
  new Map(
    Object.keys(parametersOf(type))
      .filter((key) => key !== 'windowMs')
      .map((key) => [nameOf(type, key), key]),
  )

export const isType = (type: unknown): type is FaultType => order.includes(type as FaultType)

/** A parameter of a fault in text. */
export interface Part {
  readonly name: string
  /** As it is written. */
  readonly text: string
  /** By the names in JSON. An unknown name becomes a key that no fault has. */
  readonly values: Readonly<Record<string, unknown>>
}

/** Reads `type:value,name=value,...` without judging it: the schema does. */
export function readText(text: string): { readonly type: string; readonly parts: readonly Part[] } {
  const [, type = '', rest = ''] = /^([\w-]*)\s*[:,]?(.*)$/s.exec(text) ?? []
  const names = isType(type) ? namesOf(type) : new Map<string, string>()
  const parts = rest.split(',').flatMap((written): Part | [] => {
    const text = written.trim()
    if (text === '') return []
    const [, name = '', value = text] = /^([\w-]+)\s*=\s*(.*)$/s.exec(text) ?? []
    const key = names.get(name) ?? `${name}=`
    return { name, text, values: key === 'requests' ? readLimit(value) : { [key]: readValue(key, value) } }
  })
  return { type, parts }
}

/** Reads a value by the unit that the name of its parameter ends in. What has another form stays a text, which the schema rejects. */
function readValue(key: string, text: string): unknown {
  if (key === 'delayMs' && text.includes('-')) return text.split('-').map(readDuration)
  if (key.endsWith('Ms')) return readDuration(text)
  if (key === 'bytesPerSecond') return text.endsWith('/s') ? readSize(text.slice(0, -2)) : text
  if (/bytes$/i.test(key)) return readSize(text)
  if (key === 'rate' && /^[\d.]+%$/.test(text)) return Number.parseFloat(text) / 100
  return /^\d+(\.\d+)?(e-?\d+)?$/.test(text) ? Number(text) : text
}

const readDuration = (text: string): number | string => (text === '0' ? 0 : (durationIn(text) ?? text))

const sizes: Readonly<Record<string, number>> = { '': 1, b: 1, kb: 1e3, mb: 1e6, kib: 1024, mib: 1024 ** 2 }

function readSize(text: string): number | string {
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?) ?([a-z]*)$/.exec(text.toLowerCase()) ?? []
  return amount !== undefined && Object.hasOwn(sizes, unit) ? Number(amount) * sizes[unit]! : text
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
export function writeFault(fault: Fault): string {
  const { type, ...values } = fault as { type: FaultType } & Record<string, unknown>
  const given = [...namesOf(type)].filter(([, key]) => values[key] !== undefined)
  if (given.length === 0) return type
  const parts = given.map(([name, key]) => {
    const text = key === 'requests' ? writeLimit(fault as never) : writeValue(key, values[key])
    return name === '' ? text : `${name}=${text}`
  })
  return `${type}${choosing.includes(given[0]![1]) ? ',' : ':'}${parts.join(',')}`
}

/** A value as text. */
export function writeValue(key: string, value: unknown): string {
  if (Array.isArray(value)) return value.map(durationText).join('-')
  if (key.endsWith('Ms')) return durationText(value as number)
  if (key === 'bytesPerSecond') return `${writeValue('bytes', value)}/s`
  const isKilobytes = /bytes$/i.test(key) && (value as number) >= 1000 && (value as number) % 1000 === 0
  return isKilobytes ? `${(value as number) / 1000}KB` : String(value)
}

const writeLimit = ({ requests, windowMs }: { requests: number; windowMs: number }): string =>
  `${requests}/${durationText(windowMs)
    .replace(/^1(?=[a-z])/, '')
    .replace(/m$/, 'min')}`

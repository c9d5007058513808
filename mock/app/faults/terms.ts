import type { Fault } from './fault.ts'
import { pattern } from './pattern.ts'
import {
  byteRate,
  bytes,
  countPerWindow,
  duration,
  durationOrRange,
  instant,
  oneOf,
  path,
  probability,
  whole,
  type ValueType,
} from './values.ts'

/** One parameter of a fault. */
export interface Term {
  /** Its name in text; '' for the value behind the colon. */
  readonly name: string
  /** Its name in JSON; two where its value is a pair. */
  readonly keys: readonly [string] | readonly [string, string]
  readonly value: ValueType<unknown>
}

const term = <T>(name: string, keys: string | readonly [string, string], value: ValueType<T>): Term => ({
  name,
  keys: typeof keys === 'string' ? [keys] : keys,
  value: value as unknown as ValueType<unknown>,
})

const on = term('on', 'on', pattern)
const route = term('route', 'route', path)
const timing = [
  term('rate', 'rate', probability),
  term('every', 'every', whole(1)),
  term('burst', 'burst', whole(1)),
  term('times', 'times', whole(1)),
  term('skip', 'skip', whole(0)),
]

/** What most of them take: which requests, and how often. */
export const shared: readonly Term[] = [on, route, ...timing]

/** The parameters of each fault, in the order in which they are written. */
export const terms: Readonly<Record<Fault['type'], readonly Term[]>> = {
  latency: [
    term('', 'delayMs', durationOrRange),
    term('median', 'medianMs', duration),
    term('p99', 'p99Ms', duration),
    on,
    route,
    ...timing,
  ],
  reset: [term('', 'afterBytes', bytes(0)), on, route, ...timing],
  limit: [term('', ['requests', 'windowMs'], countPerWindow), on, route],
  status: [
    term('', 'status', whole(400, 599)),
    term('retry-after', 'retryAfterMs', duration),
    on,
    route,
    ...timing,
  ],
  expire: [
    term('after', 'after', whole(0)),
    term('lifetime', 'lifetimeMs', duration),
    term('at', 'at', instant),
  ],
  timeout: [term('after', 'after', oneOf('limit')), on, ...timing],
  truncate: [
    term('', 'bytes', bytes(0)),
    term('framing', 'framing', oneOf('content-length', 'chunked', 'complete')),
    on,
    route,
    ...timing,
  ],
  drip: [term('', 'bytesPerSecond', byteRate), on, route, ...timing],
}

/** The faults in the order in which they strike one request. */
export const order = Object.keys(terms) as Fault['type'][]

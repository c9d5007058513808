import { implement } from '../implement.ts'

/** A timestamp of PostgreSQL in UTC, in parts. */
export interface Timestamp {
  /** `2025-01-31T12:00:00` */
  readonly seconds: string
  /** The six digits of the fraction. */
  readonly micros: string
  /** Whether the type is `timestamptz`; a timestamp without time zone is written without one. */
  readonly isZoned: boolean
  /** The whole seconds, in milliseconds since 1970. */
  readonly epochMs: number
}

/** The offset of the place of `local-offset`, in hours. */
const localHours = 2

function localOffset({ seconds, micros, isZoned, epochMs }: Timestamp): string {
  if (!isZoned) return `"${seconds}.${micros}"`
  const local = new Date(epochMs + localHours * 3_600_000).toISOString().slice(0, 19)
  return `"${local}.${micros}+0${localHours}:00"`
}

const zone = ({ isZoned }: Timestamp, text: string) => (isZoned ? text : '')

/** The JSON text of a timestamp. */
export const timestampFormat = implement<'timestamps.format', (timestamp: Timestamp) => string>(
  'timestamps.format',
  {
    'micros-offset': (at) => `"${at.seconds}.${at.micros}${zone(at, '+00:00')}"`,
    'micros-z': (at) => `"${at.seconds}.${at.micros}${zone(at, 'Z')}"`,
    'millis-z': (at) => `"${at.seconds}.${at.micros.slice(0, 3)}${zone(at, 'Z')}"`,
    'seconds-z': (at) => `"${at.seconds}${zone(at, 'Z')}"`,
    'nanos-z': (at) => `"${at.seconds}.${at.micros}000${zone(at, 'Z')}"`,
    trimmed: (at) => `"${`${at.seconds}.${at.micros}`.replace(/\.?0*$/, '')}${zone(at, '+00:00')}"`,
    'hour-offset': (at) => `"${at.seconds}.${at.micros}${zone(at, '+00')}"`,
    'local-offset': localOffset,
    'no-zone': (at) => `"${at.seconds}.${at.micros}"`,
    'space-separator': (at) => `"${at.seconds.replace('T', ' ')}.${at.micros}${zone(at, '+00:00')}"`,
    'epoch-millis': (at) => String(at.epochMs + Number(at.micros.slice(0, 3))),
  },
)

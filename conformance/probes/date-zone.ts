import type { Seen } from '../open-points/probe.ts'
import { dateOf } from '../comparisons/splitting-date.ts'
import { instantOf } from '../connection/instant.ts'

const QUARTER = 900_000_000_000n
const HOUR = 4n * QUARTER
const DAY = 24n * HOUR

/** The offsets of zones on earth, from -12:00 to +14:00 in quarters of an hour. */
const OFFSETS = Array.from({ length: (14 + 12) * 4 + 1 }, (_, index) => BigInt(index - 48) * QUARTER)

/** A row's last update, as an instant and as it is printed. */
export interface Stamp {
  instant: bigint
  text: string
  /** Whether the target counts it as newer than the date. */
  newer: boolean
}

/** In a zone east of Greenwich a day begins before it begins in UTC. */
const isNewer = (instant: bigint, midnight: bigint, offset: bigint): boolean => instant > midnight - offset

/** Offsets under which the same rows are newer than a date as under UTC, without UTC itself. */
const lookLikeUtc = (instants: readonly bigint[], midnight: bigint): number =>
  OFFSETS.filter((offset) => offset !== 0n).filter((offset) =>
    instants.every((instant) => isNewer(instant, midnight, offset) === instant > midnight),
  ).length

export interface TellingDate {
  /** `YYYY-MM-DD` */
  date: string
  /** How many offsets would be mistaken for UTC. */
  mistaken: number
}

/** The date at which the fewest offsets are mistaken for UTC; undefined where no date tells any two apart. */
export function tellingDate(instants: readonly bigint[]): TellingDate | undefined {
  const days = new Set(instants.flatMap((instant) => [instant / DAY, instant / DAY + 1n]))
  const dates = [...days].map((day) => ({
    date: dateOf(day * DAY),
    mistaken: lookLikeUtc(instants, day * DAY),
  }))
  const [best] = dates.toSorted((one, other) => one.mistaken - other.mistaken)
  return best && best.mistaken < OFFSETS.length - 1 ? best : undefined
}

/** So many offsets may fit where UTC is among them and called by its name: a quarter of them all. */
const TELLING = OFFSETS.length / 4

/** In which zone a date was read, from the rows that are newer than it and those that are not. */
export function zoneOf(date: string, stamps: readonly Stamp[]): Seen {
  const midnight = instantOf(date)!
  const fitting = OFFSETS.filter((offset) =>
    stamps.every(({ instant, newer }) => isNewer(instant, midnight, offset) === newer),
  )
  const asText = stamps.every(({ text, newer }) => text > date === newer)
  const range =
    fitting.length === 0 ? 'no offset' : `offsets from ${hours(fitting[0]!)} to ${hours(fitting.at(-1)!)}`
  const seen = `${range} fit${asText ? ', and so does a comparison of texts' : ''}`
  if (fitting.includes(0n)) return fitting.length > TELLING ? { seen } : { variant: 'utc', seen }
  if (asText) return { variant: fitting.length === 0 ? 'text-comparison' : undefined, seen }
  return { variant: fitting.length > 0 ? 'session-zone' : undefined, seen }
}

const hours = (offset: bigint): string => {
  const quarters = Number(offset / QUARTER)
  const minutes = (Math.abs(quarters) % 4) * 15
  const sign = quarters < 0 ? '-' : '+'
  return `${sign}${String(Math.floor(Math.abs(quarters) / 4)).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`
}

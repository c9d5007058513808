import { dateOf, DAY, midnightOf } from '../connection/values/instant.ts'

const QUARTER = 900_000_000_000n

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
function lookLikeUtc(instants: readonly bigint[], midnight: bigint): number {
  const near = instants.filter((instant) => instant > midnight - DAY && instant < midnight + DAY)
  return OFFSETS.filter(
    (offset) =>
      offset !== 0n && near.every((instant) => isNewer(instant, midnight, offset) === instant > midnight),
  ).length
}

export interface TellingDate {
  /** `YYYY-MM-DD` */
  date: string
  /** How many offsets would be mistaken for UTC. */
  mistaken: number
}

/** The date at which the fewest offsets are mistaken for UTC; undefined where no date tells any two apart. */
export function tellingDate(instants: readonly bigint[]): TellingDate | undefined {
  const days = new Set(instants.flatMap((instant) => [instant / DAY, instant / DAY + 1n]))
  const dates = [...days].flatMap((day) => {
    const date = dateOf(day * DAY)
    return date === undefined ? [] : [{ date, mistaken: lookLikeUtc(instants, day * DAY) }]
  })
  const [best] = dates.toSorted((one, other) => one.mistaken - other.mistaken)
  return best && best.mistaken < OFFSETS.length - 1 ? best : undefined
}

/** What the rows that are newer than a date tell of the zone in which it was read. */
export interface Zone {
  /** The offsets from UTC that explain them, in nanoseconds. */
  offsets: readonly bigint[]
  /** Whether a comparison of texts explains them. */
  asText: boolean
}

/** In which zone a date was read, from the rows that are newer than it and those that are not. */
export function zoneOf(date: string, stamps: readonly Stamp[]): Zone {
  const midnight = midnightOf(date)
  return {
    offsets: OFFSETS.filter((offset) =>
      stamps.every(({ instant, newer }) => isNewer(instant, midnight, offset) === newer),
    ),
    asText: stamps.every(({ text, newer }) => text > date === newer),
  }
}

/** The zone counts as UTC with no more than this many offsets that fit: a quarter of all. */
const TELLING = OFFSETS.length / 4

export const isUtc = ({ offsets }: Zone): boolean => offsets.includes(0n) && offsets.length <= TELLING

/** Whether the zone is another one than UTC. */
export const isOtherZone = ({ offsets, asText }: Zone): boolean =>
  offsets.length > 0 && !offsets.includes(0n) && !asText

/** The zone as a phrase. */
export function inWords({ offsets, asText }: Zone): string {
  const [first, last] = [offsets[0], offsets.at(-1)]
  const range =
    first === undefined || last === undefined ? 'no offset' : `offsets from ${hours(first)} to ${hours(last)}`
  return `${range} fit${asText ? ', and so does a comparison of texts' : ''}`
}

const hours = (offset: bigint): string => {
  const quarters = Number(offset / QUARTER)
  const minutes = (Math.abs(quarters) % 4) * 15
  const sign = quarters < 0 ? '-' : '+'
  return `${sign}${String(Math.floor(Math.abs(quarters) / 4)).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`
}

import { contract, type ViewName } from '../../../schemas/index.ts'
import { readTimestamp } from '../../../base/time/timestamp.ts'
import { compareDelta } from '../../comparisons/delta.ts'
import { concealed } from '../../connection/redaction/disclosure.ts'
import { DAY, instantOf, midnightOf } from '../../connection/values/instant.ts'
import type { JsonObject } from '../../connection/values/json.ts'
import { unlessRefused } from '../../connection/not-exercised.ts'
import { baseRows, readDelta } from '../../samples/delta.ts'
import type { Target } from '../../connection/target.ts'
import { updatedAt } from '../../connection/values/updates.ts'
import { check, compared, fail, notExercised, observed, type Check, type Finding } from '../check.ts'
import type { Bound } from './bounds.ts'
import { checkDelta, type GoodDelta } from './check-delta.ts'

const { column, views: deltaViews } = contract.delta
/** Rows this close to a printed time are not judged, in nanoseconds: a target may print fewer digits than it compares. */
const SECOND = 1_000_000_000n

/** Updates this close to a time show an error of some hours, in microseconds. */
const HOURS = 6 * 3_600_000_000
const A_DAY = 4 * HOURS

/** A last update of a view, as the target prints it. */
interface PrintedTime extends Bound {
  text: string
  at: bigint
  margin: bigint
}

/** The only form of a time that is sent as a literal: a service may print others and read this one only. */
const REGULAR = /^\d{4}-\d\d-\d\dT\d\d:\d\d/

/**
 * The last update with the most others in the hours before and after it, as the target prints it: these show an error of some
 * hours. If possible, one with an older or newer one of its day that is further away: this tells such an error from a comparison
 * of days. Undefined unless all rows print the same zone: then the text means the same instant for everybody, even if the
 * target compares texts.
 */
export function printedTime(
  rows: readonly JsonObject[],
  side: 'older' | 'newer' = 'older',
): PrintedTime | undefined {
  const read = rows.flatMap((row) => readTimestamp(String(row[column])) ?? [])
  const zone = read[0]?.zone
  const isRegular = read.length === rows.length && rows.every((row) => REGULAR.test(String(row[column])))
  if (!isRegular || zone === undefined || read.some((one) => one.zone !== zone)) return undefined
  const units = read.map(({ unit }) => BigInt(Math.ceil(unit)))
  const margin = units.reduce((most, unit) => (unit > most ? unit : most), SECOND)
  const times = rows.flatMap((row) => {
    const at = updatedAt(row)
    return at === undefined ? [] : [{ at, text: String(row[column]) }]
  })
  // Numbers: as bigints, the distances of 900 rows take half a second.
  const micros = times.map(({ at }) => Number(at / 1000n))
  const least = Number(margin / 1000n)
  const isNear = (distance: number) => distance > least && distance < HOURS
  let best = { rank: -1, at: 0n, text: '' }
  for (const [index, { at, text }] of times.entries()) {
    const own = micros[index]!
    let [newer, older, tellsDay] = [0, 0, false]
    for (const other of micros) {
      if (isNear(other - own)) newer++
      if (isNear(own - other)) older++
      const distance = side === 'older' ? own - other : other - own
      if (distance > HOURS && Math.floor(other / A_DAY) === Math.floor(own / A_DAY)) tellsDay = true
    }
    const witnesses = Math.min(newer, older)
    const rank = witnesses + (witnesses > 0 && tellsDay ? times.length : 0)
    if (rank > best.rank) best = { rank, at, text }
  }
  const { at, text } = best
  if (text === '') return undefined
  return {
    at,
    text,
    margin,
    sql: `'${text}'`,
    shown: `'${concealed(text)}'`,
    newer: at + margin,
    older: at - margin,
  }
}

/** Every second view tests times that are shown early, the others times that are shown late. */
const sideOf = (name: ViewName): 'older' | 'newer' => (deltaViews.indexOf(name) % 2 === 0 ? 'older' : 'newer')

/**
 * The instants that a target may compare with if it ignores the zone of a time, or all of it but its date: in the order of
 * {@link READINGS}.
 */
function otherReadings({ text, at }: PrintedTime): bigint[] {
  const local = instantOf(text.replace(/(Z|[+-]\d\d(:?\d\d)?)$/, ''))
  if (local === undefined) return []
  const midnight = midnightOf(text.slice(0, 10))
  return [local, midnight, midnight + DAY, midnight + at - local, midnight + DAY + at - local]
}

const READINGS = [
  'the time without its zone',
  'the beginning of its day in UTC',
  'the end of its day in UTC',
  'the beginning of its day',
  'the end of its day',
]

interface Result {
  found: Finding | GoodDelta
  /** The other readings of the time for which the delta is right. */
  readings: string[]
}

/** The delta since a printed time; undefined if the target prints no such time, or refuses it. */
async function sincePrintedTime(t: Target, name: ViewName): Promise<Result | undefined> {
  const base = await baseRows(t, name)
  const time = printedTime(base.rows, sideOf(name))
  if (!time) return undefined
  const found = await checkDelta(t, name, base, time)
  const delta = await readDelta(t, name, time.sql)
  const readings = otherReadings(time).flatMap((instant, index) => {
    const bound = { newer: instant + time.margin, older: instant - time.margin }
    const { stale, missing } = compareDelta(base.rows, delta.rows, bound)
    return stale.length === 0 && (missing.length === 0 || !delta.complete) ? READINGS[index]! : []
  })
  return { found, readings }
}

/**
 * Whether the deltas of a view since a time that the target printed are compared; false without such a time.
 *
 * @throws NotExercised when the target refuses the time
 */
export async function comparesPrintedTime(t: Target, name: ViewName): Promise<boolean> {
  const time = printedTime((await baseRows(t, name)).rows, sideOf(name))
  if (time) await readDelta(t, name, time.sql)
  return time !== undefined
}

/** The deltas of all views, and the other reading of the time for which every one of them is right. */
async function sincePrintedTimes(t: Target): Promise<{ results: Result[]; reading?: string }> {
  const results: Result[] = []
  for (const name of deltaViews) {
    const result = await unlessRefused(sincePrintedTime(t, name))
    if (result) results.push(result)
  }
  const reading = READINGS.find((one) => results.every(({ readings }) => readings.includes(one)))
  return { results, ...(reading !== undefined && { reading }) }
}

const failureIn = (results: readonly Result[]): Finding | undefined =>
  results.flatMap(({ found }) => ('outcome' in found && found.outcome === 'fail' ? found : []))[0]

function right(results: readonly Result[]): Finding {
  const unclear = results.flatMap(({ found }) => ('outcome' in found ? found : []))[0]
  const rows = results.reduce((sum, { found }) => sum + ('outcome' in found ? 0 : found.rows), 0)
  if (unclear) return unclear
  // delta.since-date says whether deltas could be tested.
  if (rows === 0)
    return observed(
      'no delta since a printed time could be compared: no such time is printed alike in all rows, or it is refused',
    )
  return compared(rows, 'row', 'correct in deltas since a time that the target printed')
}

/** A target that reads every time in another way is not judged here: the contract shows only a date as a literal. */
async function sinceTime(t: Target): Promise<Finding> {
  const { results, reading } = await sincePrintedTimes(t)
  const failure = failureIn(results)
  if (!failure) return right(results)
  return reading === undefined ? failure : observed(`the target compares with ${reading} of a literal`)
}

async function wholeTime(t: Target): Promise<Finding> {
  const { results, reading } = await sincePrintedTimes(t)
  const failure = failureIn(results)
  if (!failure) return right(results)
  const { message, expected = '', actual = '', exchanges = [] } = failure
  return reading === undefined
    ? notExercised('delta.since-time fails')
    : fail({
        message: `${message}: the target compares with ${reading}; a comparison of texts does so too if the T of the literal is changed, as by lower()`,
        expected,
        actual,
        exchanges,
      })
}

/** The checks of deltas since a time. */
export const deltaTimeChecks: Check[] = [
  check({
    id: 'delta.since-time',
    requirement: 'REQ-DELTA-6',
    title: 'return the rows that changed after a time that the target printed, and no older rows',
    killedBy: ['delta-stamps-late', 'delta-stamps-early', 'delta-literal-ignored'],
    run: sinceTime,
  }),
  check({
    id: 'delta.whole-time',
    requirement: 'REQ-DELTA-6:should',
    title: 'compare with the whole time of a literal, not only with its date',
    killedBy: ['delta-literal-by-day'],
    run: wholeTime,
  }),
]

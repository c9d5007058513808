import { contract, type ViewName } from '../../schemas/index.ts'
import { probe, type Probe, type Seen } from '../open-points/probe.ts'
import { baseRows, readDelta } from '../connection/samples/delta.ts'
import { updatedAt } from '../connection/updates.ts'
import { dateSpellings } from '../connection/date-literal.ts'
import { instantOf } from '../connection/instant.ts'
import { canonical, type JsonObject } from '../connection/json.ts'
import { unlessRefused } from '../connection/not-exercised.ts'
import type { Target } from '../connection/target.ts'
import { counted } from './reading.ts'
import { tellingDate, zoneOf, type TellingDate } from './date-zone.ts'

const { column } = contract.delta

async function literals(t: Target): Promise<Seen | undefined> {
  const accepted: string[] = []
  for (const spelling of dateSpellings)
    if ((await t.everythingSince('v_bioprocesses', spelling)).ok) accepted.push(spelling.slug)
  if (accepted.length === 0) return undefined
  const all = accepted.length === dateSpellings.length
  return {
    variant: all ? 'all' : accepted.length === 1 ? accepted[0] : undefined,
    seen: accepted.join(', '),
  }
}

/** What is known of a row's last update. */
interface Known {
  id: string
  instant: bigint
  text: string
}

/** What is known of the rows of a view that was read whole. */
async function stampsOf(t: Target, name: ViewName): Promise<Known[]> {
  const base = await unlessRefused(baseRows(t, name))
  if (!base?.whole) return []
  return base.rows.flatMap((row) => {
    const instant = updatedAt(row)
    return instant === undefined
      ? []
      : [{ id: canonical(row['id'] ?? null), instant, text: String(row[column]) }]
  })
}

/** One delta since a date, of the view and the date at which zones differ most. */
async function zone(t: Target): Promise<Seen | undefined> {
  let best: { name: ViewName; stamps: Known[]; date: TellingDate } | undefined
  for (const name of contract.delta.views) {
    const stamps = await stampsOf(t, name)
    const date = tellingDate(stamps.map(({ instant }) => instant))
    if (date && date.mistaken < (best?.date.mistaken ?? Infinity)) best = { name, stamps, date }
  }
  if (!best) return undefined
  const delta = await readDelta(t, best.name, await t.dateLiteral(best.date.date))
  if (!delta.complete) return undefined
  const found = new Set(delta.rows.map(({ id }) => canonical(id ?? null)))
  const seen = zoneOf(
    best.date.date,
    best.stamps.map((stamp) => ({ ...stamp, newer: found.has(stamp.id) })),
  )
  if (seen.variant !== 'utc' || !(await comparesTexts(t, best.name, best.stamps))) return seen
  return { variant: 'text-comparison', seen: 'the separator of date and time decides' }
}

/**
 * Whether a time of day written with the other separator than the printed ones is compared as a text: then all rows
 * of its day are on one side of it, since a blank sorts before a T.
 */
async function comparesTexts(t: Target, name: ViewName, stamps: readonly Known[]): Promise<boolean> {
  const sorted = stamps
    .filter(({ text }) => /^\d{4}-\d\d-\d\d[T ]\d\d:.*(Z|\+00(:00)?|\d)$/.test(text))
    .toSorted((one, other) => (one.text.slice(11) < other.text.slice(11) ? -1 : 1))
  const early = sorted.find(({ text }) => text[10] === 'T' && Number(text.slice(11, 13)) < 6)
  const late = sorted.findLast(({ text }) => text[10] === ' ' && Number(text.slice(11, 13)) >= 18)
  const telling = early ?? late
  if (!telling) return false
  const noon = `'${telling.text.slice(0, 10)}${early ? ' ' : 'T'}12:00:00'`
  const delta = await unlessRefused(readDelta(t, name, noon))
  if (!delta?.complete) return false
  const isNewer = delta.rows.some(({ id }) => canonical(id ?? null) === telling.id)
  return isNewer === (telling === early)
}

/** The row with the newest last update as it is printed. */
const newest = (rows: readonly JsonObject[]): JsonObject | undefined =>
  rows.reduce<JsonObject | undefined>(
    (best, row) => ((updatedAt(row) ?? -1n) > ((best && updatedAt(best)) ?? -1n) ? row : best),
    undefined,
  )

/** The newest row of a view, compared with its own printed timestamp. */
async function precision(t: Target): Promise<Seen | undefined> {
  const name = 'v_quantities'
  const { rows, whole } = await baseRows(t, name)
  const text = newest(rows)?.[column]
  if (!whole || typeof text !== 'string' || instantOf(text) === undefined) return undefined
  const sql = `SELECT id, ${column} FROM ${name} WHERE ${column} > '${text}' LIMIT 100`
  const delta = await t.select(sql, ['id', column])
  const back = delta.rows.filter((row) => row[column] === text).length
  if (back === 0) return { variant: 'full', seen: `no row of ${name} is newer than the newest printed time` }
  const millis = /\.\d{3}(?!\d)/.test(text)
  return {
    variant: millis ? 'printed-millis' : undefined,
    seen: `${counted(back, 'row')} of ${name} newer than the time printed in it`,
  }
}

export const deltaProbes: Probe[] = [
  probe({ silence: 'NS-52', observe: zone }),
  probe({ silence: 'NS-53', observe: precision }),
  probe({ silence: 'NS-56', observe: literals }),
]

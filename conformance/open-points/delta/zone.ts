import { contract, type ViewName } from '../../../schemas/index.ts'
import { baseRows, readDelta } from '../../samples/delta.ts'
import { unlessRefused } from '../../connection/not-exercised.ts'
import { canonical } from '../../connection/values/json.ts'
import type { Target } from '../../connection/target.ts'
import { updatedAt } from '../../connection/values/updates.ts'
import {
  inWords,
  isUtc,
  isOtherZone,
  tellingDate,
  zoneOf,
  type TellingDate,
  type Zone,
} from '../date-zone.ts'
import { defineProbe } from '../probe.ts'

const { column } = contract.delta

/** A row's last update. */
interface Update {
  id: string
  instant: bigint
  text: string
}

/** The last updates in a view that was read whole. */
async function updatesIn(t: Target, name: ViewName): Promise<Update[]> {
  const base = await unlessRefused(baseRows(t, name))
  if (!base?.whole) return []
  return base.rows.flatMap((row) => {
    const instant = updatedAt(row)
    return instant === undefined
      ? []
      : [{ id: canonical(row['id'] ?? null), instant, text: String(row[column]) }]
  })
}

interface Sample {
  name: ViewName
  updates: Update[]
  date: TellingDate
}

/** The view and the date at which zones differ most. */
async function tellingSample(t: Target): Promise<Sample | undefined> {
  let best: Sample | undefined
  for (const name of contract.delta.views) {
    const updates = await updatesIn(t, name)
    const date = tellingDate(updates.map(({ instant }) => instant))
    if (date && date.mistaken < (best?.date.mistaken ?? Infinity)) best = { name, updates, date }
  }
  return best
}

/**
 * Whether a time of day with the separator that the target does not print is compared as a text: then all rows of its
 * day are on one side of it, since a blank sorts before a T.
 */
async function comparesTexts(t: Target, { name, updates }: Sample): Promise<boolean> {
  const sorted = updates
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

interface Reading extends Zone {
  /** Whether the separator of date and time decides a comparison; only asked where the zone looks like UTC. */
  bySeparator: boolean
}

export const probe = defineProbe('delta.zone', {
  read: async (t: Target): Promise<Reading | undefined> => {
    const sample = await tellingSample(t)
    if (!sample) return undefined
    const { name, updates, date } = sample
    const delta = await readDelta(t, name, await t.dateLiteral(date.date))
    if (!delta.complete) return undefined
    const newer = new Set(delta.rows.map(({ id }) => canonical(id ?? null)))
    const zone = zoneOf(
      date.date,
      updates.map((update) => ({ ...update, newer: newer.has(update.id) })),
    )
    return { ...zone, bySeparator: isUtc(zone) && (await comparesTexts(t, sample)) }
  },
  seen: (zone) => (zone.bySeparator ? 'the separator of date and time decides' : inWords(zone)),
  variants: {
    utc: (zone) => isUtc(zone) && !zone.bySeparator,
    'session-zone': isOtherZone,
    'text-comparison': ({ offsets, asText, bySeparator }) => bySeparator || (asText && offsets.length === 0),
  },
})

import { hour, type Micros } from '../rows/instant.ts'
import { areaOf, despiked, lastOf, valueAt, type Curve } from '../rows/curve.ts'
import type { Run } from '../rows/run.ts'
import { conversion } from '../rows/units.ts'
import { isRecord, numberOf } from '../rows/row.ts'

/** A volume removed from the broth. */
interface Removal {
  time: Micros
  /** Litres. */
  volume: number
}

/** Removals in time order; undefined if one of them has no time or volume. */
function removalsOf(run: Run): Removal[] | undefined {
  const events = run.events.filter(({ event }) => 'removal_type' in event)
  const removals = events.map(({ event, time }) => {
    const volume = isRecord(event['volume']) ? event['volume'] : {}
    return { time, volume: numberOf(volume['value']) * conversion(volume['unit'], 'L') }
  })
  const known = removals.every(({ time, volume }) => !Number.isNaN(time + volume))
  return known ? removals.sort((one, other) => one.time - other.time) : undefined
}

/**
 * The last culture volume divided by the volume that pumps and removals give; undefined if data are missing. The totals
 * of feed and base are required; a plant without the other totals pumps nothing else, in or out. Methanol is part of the feed total
 * in some plants and separate in others: the better balance counts.
 */
export function volumeBalanceOf(run: Run): number | undefined {
  const measured = run.curve('Culture volume', 'L')
  const removals = removalsOf(run)
  const initial = run.scalar('Initial volume', 'L')
  const known = measured && run.curve('Feed volume', 'L') && run.curve('Base volume', 'L')
  if (!known || !removals || Number.isNaN(initial)) return undefined
  const end = measured.times.at(-1)!
  const pumped = (total: string) => {
    const curve = run.curve(total, 'L')
    return curve ? valueAt(curve, end) : 0
  }
  const removed = removals.filter(({ time }) => time < end).reduce((sum, { volume }) => sum + volume, 0)
  const totals = ['Feed volume', 'Base volume', 'Acid volume', 'Antifoam volume']
  const drawn = pumped('Permeate volume') + pumped('Bleed volume')
  const inside = totals.reduce((sum, total) => sum + pumped(total), initial - removed - drawn)
  const [included, separate] = [inside, inside + pumped('Methanol volume')].map(
    (volume) => lastOf(despiked(measured)) / volume,
  )
  return Math.abs(included! - 1) <= Math.abs(separate! - 1) ? included : separate
}

/** The substances that hold the carbon of a culture. */
export interface CarbonSources {
  /** g of carbon in a gram of each substance that is measured in the broth. */
  broth: Readonly<Record<string, number>>
  /** The substrate of the batch; its first sample shows how much there was. */
  batch: string
  /** What each pumped total brings; the concentration is g/L, or the scalar that states it. */
  feeds: readonly { total: string; substance: string; concentration: number | string }[]
}

const onGlucose: CarbonSources = {
  broth: { DCW: 0.488, Titer: 0.53, Acetate: 0.4, Glucose: 0.4 },
  batch: 'Glucose',
  feeds: [{ total: 'Feed volume', substance: 'Glucose', concentration: 'Feed glucose concentration' }],
}

/** g of carbon in a mmol of CO2. */
const carbonInDioxide = 0.012011

/**
 * Carbon found divided by carbon fed, for a run on glucose; undefined for other substrates and if data are missing.
 * See {@link carbonBalanceOf}.
 */
export function carbonRecoveryOf(run: Run): number | undefined {
  return hasOtherSubstrate(run) ? undefined : carbonBalanceOf(run, onGlucose)
}

/**
 * Carbon found divided by carbon fed; undefined if data are missing.
 *
 * Carbon fed is that of the batch (first sample) and of the feeds. Carbon found is that of all substances in the broth at
 * the last sample and in all samples removed, plus the CO2 from CER and culture volume. The batch is known from a single
 * sample, whose error is as large as the tolerance: only runs that pumped more substrate than the batch held are judged.
 * Carbon of the inoculum, dissolved CO2 and lysed cells are neglected. Nobody knows what left while CER was not read: such runs are not judged.
 */
export function carbonBalanceOf(
  run: Run,
  { broth: carbonIn, batch, feeds }: CarbonSources,
): number | undefined {
  const biomass = run.curve('DCW', 'g/L')
  const substrate = run.curve(batch, 'g/L')
  const volume = run.curve('Culture volume', 'L')
  const release = run.curve('CER', 'mmol/L/h')
  const removals = removalsOf(run)
  if (!biomass || !substrate || !volume || !release || !removals || isInterrupted(release)) return undefined

  const inBatch = run.scalar('Initial volume', 'L') * substrate.values[0]!
  const pumped = feeds.map(({ total, substance, concentration }) => {
    const feed = run.curve(total, 'L')
    const perLitre = typeof concentration === 'string' ? run.scalar(concentration, 'g/L') : concentration
    return { substance, grams: feed ? lastOf(feed) * perLitre : Number.NaN }
  })
  if (!(pumped.reduce((sum, { grams }) => sum + grams, 0) > inBatch)) return undefined
  const fed = pumped.reduce(
    (sum, { substance, grams }) => sum + carbonIn[substance]! * grams,
    carbonIn[batch]! * inBatch,
  )

  const measured = Object.entries(carbonIn).map(
    // a result below its limit has no value
    ([substance, carbon]) => [run.curve(substance, 'g/L', 0), carbon] as const,
  )
  const carbonAt = (time: Micros) =>
    measured.reduce((sum, [curve, carbon]) => sum + carbon * concentrationAt(curve, time), 0)
  const volumes = despiked(volume)
  const rates = despiked(release)
  const released = areaOf({
    times: rates.times,
    values: Array.from(rates.values, (rate, i) => rate * valueAt(volumes, rates.times[i]!)),
  })
  const end = biomass.times.at(-1)!
  const inSamples = removals
    .filter(({ time }) => time < end)
    .reduce((sum, sample) => sum + sample.volume * carbonAt(sample.time), 0)
  return (carbonAt(end) * lastOf(volumes) + inSamples + carbonInDioxide * released) / fed
}

/** Whether a signal is missing for two hours, and for three of its intervals. */
function isInterrupted({ times }: Curve): boolean {
  const usual = (times.at(-1)! - times[0]!) / (times.length - 1)
  return times.some((time, i) => time - (times[i - 1] ?? time) > Math.max(2 * hour, 3 * usual))
}

/** A substance that was not measured counts as absent. */
const concentrationAt = (curve: Curve | undefined, time: Micros): number => (curve ? valueAt(curve, time) : 0)

const hasOtherSubstrate = (run: Run): boolean =>
  ['Glycerol', 'Methanol', 'Methanol volume'].some(
    (name) => (run.seriesOf(name)?.points?.statistics.count ?? 0) > 0,
  )

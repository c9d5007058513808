import { areaOf, despiked, lastOf, valueAt, type Curve } from '../rows/curve.ts'
import type { Micros } from '../rows/instant.ts'
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
 * of feed and base are required; a plant without the other totals pumps nothing else. Methanol is part of the feed total
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
  const inside = totals.reduce((sum, total) => sum + pumped(total), initial - removed)
  const [included, separate] = [inside, inside + pumped('Methanol volume')].map(
    (volume) => lastOf(despiked(measured)) / volume,
  )
  return Math.abs(included! - 1) <= Math.abs(separate! - 1) ? included : separate
}

/** Grams of carbon in a gram of each substance, and in a millimole of CO2. */
const carbonIn = { glucose: 0.4, acetate: 0.4, biomass: 0.488, product: 0.53, millimoleOfCo2: 0.012011 }

/**
 * Carbon found divided by carbon fed, for a run on glucose; undefined for other substrates and if data are missing.
 *
 * Carbon fed is the glucose of the batch (first sample) and of the feed. Carbon found is biomass, product, acetate and
 * glucose in the broth at the last sample and in all samples removed, plus the CO2 from CER and culture volume. The batch
 * is known from a single sample, whose error is as large as the tolerance: only runs that fed more glucose than the batch
 * held are judged. Carbon of the inoculum, dissolved CO2 and lysed cells are neglected.
 */
export function carbonRecoveryOf(run: Run): number | undefined {
  const [biomass, glucose, acetate, titer] = ['DCW', 'Glucose', 'Acetate', 'Titer'].map((name) =>
    run.curve(name, 'g/L'),
  )
  const volume = run.curve('Culture volume', 'L')
  const release = run.curve('CER', 'mmol/L/h')
  const feed = run.curve('Feed volume', 'L')
  const batch = run.scalar('Initial volume', 'L') * (glucose?.values[0] ?? Number.NaN)
  const pumped = feed ? lastOf(feed) * run.scalar('Feed glucose concentration', 'g/L') : Number.NaN
  const fed = carbonIn.glucose * (batch + pumped)
  const removals = removalsOf(run)
  if (!biomass || !glucose || !volume || !release || !removals || !(pumped > batch) || hasOtherSubstrate(run))
    return undefined

  const broth = despiked(volume)
  const carbonAt = (time: Micros) =>
    carbonIn.biomass * concentrationAt(biomass, time) +
    carbonIn.product * concentrationAt(titer, time) +
    carbonIn.acetate * concentrationAt(acetate, time) +
    carbonIn.glucose * concentrationAt(glucose, time)
  const rates = despiked(release)
  const released = areaOf({
    times: rates.times,
    values: Array.from(rates.values, (rate, i) => rate * valueAt(broth, rates.times[i]!)),
  })
  const end = biomass.times.at(-1)!
  const inSamples = removals
    .filter(({ time }) => time < end)
    .reduce((sum, sample) => sum + sample.volume * carbonAt(sample.time), 0)
  return (carbonAt(end) * lastOf(broth) + inSamples + carbonIn.millimoleOfCo2 * released) / fed
}

/** A substance that was not measured counts as absent. */
const concentrationAt = (curve: Curve | undefined, time: Micros): number => (curve ? valueAt(curve, time) : 0)

const hasOtherSubstrate = (run: Run): boolean =>
  ['Glycerol', 'Methanol', 'Methanol volume'].some(
    (name) => (run.seriesOf(name)?.points?.statistics.count ?? 0) > 0,
  )

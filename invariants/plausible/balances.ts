import { areaOf, despiked, lastOf, valueAt, type Curve } from '../rows/curve.ts'
import type { Micros } from '../rows/instant.ts'
import type { Run } from '../rows/run.ts'
import { conversion } from '../rows/units.ts'
import { isRecord, numberOf } from '../rows/row.ts'

/** What was taken out of the broth. */
interface Taken {
  time: Micros
  /** L. */
  volume: number
}

/** Removals in time order; undefined where one of them does not say when or how much. */
function takenFrom(run: Run): Taken[] | undefined {
  const removals = run.events.filter(({ event }) => 'removal_type' in event)
  const taken = removals.map(({ event, time }) => {
    const volume = isRecord(event['volume']) ? event['volume'] : {}
    return { time, volume: numberOf(volume['value']) * conversion(volume['unit'], 'L') }
  })
  const known = taken.every(({ time, volume }) => !Number.isNaN(time + volume))
  return known ? taken.sort((one, other) => one.time - other.time) : undefined
}

/**
 * The culture volume at its last point per what pumps and removals account for; undefined where the rows do not say
 * enough. Feed and base have to be there; a plant without the other totals pumps nothing else. Methanol is a part of the
 * feed in some plants and pumped beside it in others: the reading that closes better counts.
 */
export function volumeBalanceOf(run: Run): number | undefined {
  const measured = run.curve('Culture volume', 'L')
  const taken = takenFrom(run)
  const initial = run.scalar('Initial volume', 'L')
  const known = measured && run.curve('Feed volume', 'L') && run.curve('Base volume', 'L')
  if (!known || !taken || Number.isNaN(initial)) return undefined
  const end = measured.times.at(-1)!
  const pumped = (total: string) => {
    const curve = run.curve(total, 'L')
    return curve ? valueAt(curve, end) : 0
  }
  const removed = taken.filter(({ time }) => time < end).reduce((sum, { volume }) => sum + volume, 0)
  const totals = ['Feed volume', 'Base volume', 'Acid volume', 'Antifoam volume']
  const inside = totals.reduce((sum, total) => sum + pumped(total), initial - removed)
  const [within, beside] = [inside, inside + pumped('Methanol volume')].map(
    (volume) => lastOf(despiked(measured)) / volume,
  )
  return Math.abs(within! - 1) <= Math.abs(beside! - 1) ? within : beside
}

/** g of carbon in a gram of each substance, and in a mmol of CO2. */
const carbonIn = { glucose: 0.4, acetate: 0.4, biomass: 0.488, product: 0.53, millimoleOfCo2: 0.012011 }

/**
 * Carbon found per carbon fed, of a run on glucose; undefined for other substrates, and where the rows do not say enough.
 *
 * Carbon fed is the glucose of the batch (first sample) and of the feed; carbon found is biomass, product, acetate and
 * glucose in the broth of the last sample and in all samples taken out, and the CO2 that CER and the culture volume add
 * up to. Of the batch one sample tells, with an error as large as what may be missing: a run is judged where more glucose
 * was pumped than that. Carbon of the inoculum, dissolved CO2 and lysed cells are neglected.
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
  const taken = takenFrom(run)
  if (!biomass || !glucose || !volume || !release || !taken || !(pumped > batch) || hasOtherSubstrate(run))
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
  const inSamples = taken
    .filter(({ time }) => time < end)
    .reduce((sum, sample) => sum + sample.volume * carbonAt(sample.time), 0)
  return (carbonAt(end) * lastOf(broth) + inSamples + carbonIn.millimoleOfCo2 * released) / fed
}

/** What was not measured is taken for absent. */
const concentrationAt = (curve: Curve | undefined, time: Micros): number => (curve ? valueAt(curve, time) : 0)

const hasOtherSubstrate = (run: Run): boolean =>
  ['Glycerol', 'Methanol', 'Methanol volume'].some(
    (name) => (run.seriesOf(name)?.points?.summary.count ?? 0) > 0,
  )

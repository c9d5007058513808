import { areaOf, despiked, lastOf, valueAt, type Curve } from '../evidence/curve.ts'
import type { Micros } from '../evidence/instant.ts'
import type { Run } from '../evidence/run.ts'
import { conversion } from '../evidence/units.ts'
import { isRecord, numberOf } from '../invariant.ts'

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
 * enough. Feed and base have to be there; a plant without the other totals pumps nothing else.
 */
export function volumeBalanceOf(run: Run): number | undefined {
  const measured = run.curve('Culture volume', 'L')
  const [feed, base] = ['Feed volume', 'Base volume'].map((total) => run.curve(total, 'L'))
  const initial = run.scalar('Initial volume', 'L')
  const taken = takenFrom(run)
  if (!measured || !feed || !base || !taken || Number.isNaN(initial)) return undefined
  const others = ['Acid volume', 'Antifoam volume', 'Methanol volume'].flatMap(
    (total) => run.curve(total, 'L') ?? [],
  )
  const end = measured.times.at(-1)!
  const pumped = [feed, base, ...others].reduce((sum, total) => sum + valueAt(total, end), 0)
  const removed = taken.filter(({ time }) => time < end).reduce((sum, { volume }) => sum + volume, 0)
  return lastOf(despiked(measured)) / (initial + pumped - removed)
}

/** g of carbon in a gram of each substance, and in a mmol of CO2. */
const carbonIn = { glucose: 0.4, acetate: 0.4, biomass: 0.488, product: 0.53, millimoleOfCo2: 0.012011 }

/**
 * Carbon found per carbon fed, of a run on glucose; undefined for other substrates, and where the rows do not say enough.
 *
 * Carbon fed is the glucose of the batch (first sample) and of the feed; carbon found is biomass, product, acetate and
 * glucose in the broth of the last sample and in all samples taken out, and the CO2 that CER and the culture volume add
 * up to. Carbon of the inoculum, dissolved CO2 and lysed cells are neglected.
 */
export function carbonRecoveryOf(run: Run): number | undefined {
  const [biomass, glucose, acetate, titer] = ['DCW', 'Glucose', 'Acetate', 'Titer'].map((name) =>
    run.curve(name, 'g/L'),
  )
  const volume = run.curve('Culture volume', 'L')
  const release = run.curve('CER', 'mmol/L/h')
  const feed = run.curve('Feed volume', 'L')
  const batch = run.scalar('Initial volume', 'L') * (glucose?.values[0] ?? Number.NaN)
  const fed =
    carbonIn.glucose *
    (batch + lastOf(feed ?? { times: [], values: [] }) * run.scalar('Feed glucose concentration', 'g/L'))
  const taken = takenFrom(run)
  if (!biomass || !glucose || !volume || !release || !taken || !(fed > 0) || hasOtherSubstrate(run))
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

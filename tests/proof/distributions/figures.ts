import { linearRegression, mean, sampleCorrelation, standardDeviation } from 'simple-statistics'
import { nominal as ecoli } from '../../../fixtures/processes/ecoli/parameters.ts'
import { nominal as pichia } from '../../../fixtures/processes/pichia/parameters.ts'
import { carbonBalanceOf, carbonRecoveryOf, volumeBalanceOf } from '../../../invariants/plausible/balances.ts'
import { areaOf, despiked, lastOf, pairs, valueAt, type Curve } from '../../../invariants/rows/curve.ts'
import { hour, type Micros } from '../../../invariants/rows/instant.ts'
import { kept, type Points, type SoundRun } from './sound-runs.ts'

/** A number of a run, NaN where nothing was measured. */
export type Figure = (run: SoundRun) => number

const [day, minute] = [24 * hour, hour / 60]
const most = ({ values }: Curve): number => Math.max(...Array.from(values))
const within = (curve: Curve, from: Micros, to = Number.POSITIVE_INFINITY): Points =>
  kept(curve, (time) => time >= from && time <= to)

export const last = (quantity: string) => (run: SoundRun) => lastOf(run.curve(quantity))
export const peak = (quantity: string) => (run: SoundRun) => most(run.curve(quantity))
export const endPerPeak = (quantity: string) => (run: SoundRun) => last(quantity)(run) / peak(quantity)(run)

/** From run start to run end, h. */
export const length: Figure = ({ start, end }) => (end - start) / hour
/** Without spikes, mmol/L/h. */
export const peakOxygenUptake: Figure = ({ curve }) => most(despiked(curve('OUR')))
/** The total of a pump, L: small vessels count in mL. */
const litres = ({ run }: SoundRun, total: string) =>
  lastOf(run.curve(total, 'L') ?? { times: [], values: [] })
/** The total of a pump in volumes at inoculation a day. */
export const perDay = (total: string) => (run: SoundRun) =>
  litres(run, total) / run.setting('Initial volume') / ((run.end - run.start) / day)

/** Culture volume per volume that pumps and samples account for. */
export const volumeBalance: Figure = ({ run }) => volumeBalanceOf(run) ?? Number.NaN
/** Carbon found per carbon fed. */
export const carbonRecovery: Figure = ({ run }) =>
  carbonRecoveryOf(run) ?? carbonBalanceOf(run, onMethanol) ?? Number.NaN
/** The carbon of Pichia: the rows do not state the concentrations of its feeds. */
const onMethanol = {
  broth: { DCW: 0.458, Titer: 0.53, Glycerol: 0.3913, Methanol: 0.3749 },
  batch: 'Glycerol',
  feeds: [
    { total: 'Feed volume', substance: 'Glycerol', concentration: pichia.feedGlycerol },
    { total: 'Methanol volume', substance: 'Methanol', concentration: pichia.feedMethanol },
  ],
}

/** OD600 per DCW in each sample with more than 1 g/L, AU L/g. */
export const densities = ({ curve }: SoundRun): number[] =>
  Array.from(pairs(curve('OD600'), curve('DCW')))
    .filter(([, biomass]) => biomass >= 1)
    .map(([density, biomass]) => density / biomass)

/** CO2 released per O2 consumed, mol/mol: of the whole run, and of its second half, which is on methanol in Pichia. */
export const quotient: Figure = (run) => release(run, run.start)
export const lateQuotient: Figure = (run) => release(run, (run.start + run.end) / 2)
function release({ curve }: SoundRun, since: Micros): number {
  const [carbonDioxide, oxygen] = ['CER', 'OUR'].map((rate) => areaOf(within(despiked(curve(rate)), since)))
  return carbonDioxide! / oxygen!
}

/** Growth by OUR until an hour and a half before the feed, 1/h, and by VCD on days 0 to 4, 1/d. */
export const batchGrowth: Figure = (run) =>
  growthOf(within(run.curve('OUR'), run.start + 2 * hour, feedStart(run) - 1.5 * hour))
export const cellGrowth: Figure = ({ start, curve }) =>
  24 * growthOf(within(curve('VCD'), start, start + 4.2 * day))
/** The slope of the logarithm, 1/h. */
const growthOf = ({ times, values }: Points): number =>
  linearRegression(times.map((time, i) => [(time - times[0]!) / hour, Math.log(values[i]!)])).m
const feedStart = ({ run }: SoundRun): Micros =>
  Math.min(...run.eventsWith('addition_type', 'Feed Start').map(({ time }) => time))

/** Biomass made per glucose and per methanol fed, g/g, and base per biomass made, mol/kg. */
export const glucoseYield: Figure = (run) =>
  made(run, run.start) /
  (ecoli.batchGlucose * run.curve('Culture volume').values[0]! +
    ecoli.feedGlucose * litres(run, 'Feed volume'))
export const methanolYield: Figure = (run) =>
  made(run, run.run.induction) / (pichia.feedMethanol * litres(run, 'Methanol volume'))
export const basePerBiomass: Figure = (run) =>
  (1000 * ecoli.baseConcentration * litres(run, 'Base volume')) / made(run, run.start)
/** Biomass in the vessel at the end less that at a time, g. */
function made({ curve }: SoundRun, since: Micros): number {
  const [biomass, volume] = [curve('DCW'), curve('Culture volume')]
  return lastOf(biomass) * lastOf(volume) - valueAt(biomass, since) * valueAt(volume, since)
}

/** The integral of viable cells, 1e6 cells d/mL, and the product per cell, pg/cell/d. */
export const cellDays: Figure = ({ curve }) => areaOf(curve('VCD')) / 24
export const cellProductivity: Figure = (run) => (1000 * last('Titer')(run)) / cellDays(run)
/** pmol/cell/h: 1 mmol/L/h per 1e6 cells/mL is that much. */
export const cellUptakeOn = (number: number) => (run: SoundRun) =>
  onDay(run, 'OUR', number) / onDay(run, 'VCD', number)
export const lateTotalCells: Figure = (run) => last('TCD')(run) / onDay(run, 'TCD', 10)
const onDay = ({ start, curve }: SoundRun, quantity: string, number: number) =>
  valueAt(curve(quantity), start + number * day)
export const peakDay: Figure = ({ start, curve }) => {
  const { times, values } = curve('VCD')
  return Math.round((times[values.indexOf(Math.max(...values))]! - start) / day)
}

/** The time that a start needs to settle. */
const settled = 2 * hour
/** The shift begins where the temperature is further from its first set point, K. */
const shifted = 0.6

/** Standard deviations of temperature, K, and of pH. */
export const temperatureSpread: Figure = (run) => standardDeviation(steady(run))
export const phSpread: Figure = (run) => standardDeviation(spaced(run, 'pH'))
/** The mean distance from the set point, K, and the lag-1 autocorrelation. */
export const temperatureOffset: Figure = (run) =>
  Math.abs(mean(steady(run)) - run.setting('Temperature setpoint'))
export const temperatureMemory: Figure = (run) =>
  sampleCorrelation(steady(run).slice(0, -1), steady(run).slice(1))
/** The temperature until its shift. */
function steady(run: SoundRun): number[] {
  const values = spaced(run, 'Temperature')
  const shift = values.findIndex((value) => Math.abs(value - run.setting('Temperature setpoint')) > shifted)
  return values.slice(0, shift < 0 ? undefined : shift)
}
const minuteOf = (time: Micros) => Math.round(time / minute)
/** A controlled signal with a reading every 12 minutes as in IndPenSim, or 10 where readings are 5 minutes apart. */
function spaced({ start, curve }: SoundRun, quantity: string): number[] {
  const points = within(curve(quantity), start + settled)
  const every = points.times.every((time) => minuteOf(time) % 5 === 0) ? 10 : 12
  return kept(points, (time) => minuteOf(time) % every === 0).values
}

/** The highest DO in the two hours around the first feed, %. */
export const oxygenPeak: Figure = (run) =>
  most(within(run.curve('DO'), feedStart(run) - 2 * hour, feedStart(run) + 2 * hour))

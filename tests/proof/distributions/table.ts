import { mean, median, sampleCorrelation } from 'simple-statistics'
import { cho as choProcess } from '../../../fixtures/processes/cho/index.ts'
import * as figure from './figures.ts'
import type { Population } from './populations.ts'
import type { SoundRun } from './sound-runs.ts'

/** A figure of the rows, and what it is expected to be. */
export interface Entry {
  label: string
  /** One value for each run, or one for all of them. */
  values(runs: readonly SoundRun[]): number[]
  /** Three values, of which those seen are within 10 %, or a range for the outer ones. None: it is only shown. */
  expected?: readonly [number, number, number] | readonly [number, number]
  /** Why the outer values are outside of the range. */
  reason?: string
}

export interface Section {
  title: string
  text: string
  /** The shares of the runs whose values are shown. Default: 5, 50 and 95 %. */
  shares?: readonly [number, number, number]
  entries: { readonly [P in Population]?: readonly Entry[] }
}

const each = (of: figure.Figure) => (runs: readonly SoundRun[]) => runs.map(of)
const middle = (of: figure.Figure) => (runs: readonly SoundRun[]) => [median(runs.map(of))]

/** The values of the runs of the platform clone: the reference model has no other. */
const ofPlatform = (of: figure.Figure) => (runs: readonly SoundRun[]) =>
  runs.filter(({ strain }) => strain === choProcess.strains[0]).map(of)
/** The largest median of a clone per the least. */
const span = (of: figure.Figure) => (runs: readonly SoundRun[]) => {
  const medians = choProcess.strains.map((name) =>
    median(runs.filter(({ strain }) => strain === name).map(of)),
  )
  return [Math.max(...medians) / Math.min(...medians)]
}

/** The correlation of titer and cells within each clone that has more than 20 runs. */
function titerAndCells(runs: readonly SoundRun[]): number[] {
  return [...new Set(runs.map(({ strain }) => strain))]
    .map((strain) => runs.filter((run) => run.strain === strain))
    .filter(({ length }) => length > 20)
    .map((own) => sampleCorrelation(own.map(figure.cellDays), own.map(figure.last('Titer'))))
}

const titersAt = (runs: readonly SoundRun[], size: number): number[] =>
  runs.filter(({ setting }) => setting('Bioreactor size') === size).map(figure.last('Titer'))

export const ecoli: readonly Entry[] = [
  { label: 'length of the run, h', values: each(figure.length), expected: [25, 30, 38] },
  { label: 'final DCW, g/L', values: each(figure.last('DCW')), expected: [32, 49, 66] },
  {
    label: 'final titer, g/L',
    values: each(figure.last('Titer')),
    expected: [2.2, 3.9, 5.5],
    reason: 'W3110, a quarter of the runs, makes 3.3 at the median, and the other strains 3.5 to 3.9',
  },
  { label: 'peak OUR, mmol/L/h', values: each(figure.peakOxygenUptake), expected: [83, 154, 271] },
  {
    label: 'growth in the batch, 1/h',
    values: each(figure.batchGrowth),
    expected: [0.45, 0.65],
    reason:
      'strains, lots of the medium and the season slow the lower half by up to 10 %; the offsets of the analysers tilt a low OUR',
  },
  { label: 'biomass per glucose, g/g', values: each(figure.glucoseYield), expected: [0.35, 0.5] },
  {
    label: 'base per biomass, mol/kg',
    values: each(figure.basePerBiomass),
    expected: [8, 11],
    reason: 'batches of base differ in strength by 5 %, which the recipe does not know',
  },
  {
    label: 'RQ of the second half',
    values: each(figure.lateQuotient),
    expected: [1, 1.1],
    reason: 'the analysers have offsets, drift and an error of their span: RQ errs by 3 %',
  },
]

const pichia: readonly Entry[] = [
  { label: 'final DCW, g/L', values: each(figure.last('DCW')), expected: [104, 114, 124] },
  {
    label: 'final titer, g/L',
    values: each(figure.last('Titer')),
    expected: [4.4, 5.7, 7.2],
    reason: 'strains and reactors differ: GS115 reaches 8.4 and BG11 7.2, at the 95th percentile',
  },
  {
    label: 'final WCW (Invitrogen guide), g/L',
    values: each(figure.last('WCW')),
    expected: [350, 450],
    reason: 'the DCW is as expected; 4.2 g of wet cells are one of dry ones',
  },
  { label: 'peak OUR, mmol/L/h', values: each(figure.peakOxygenUptake), expected: [200, 400] },
  {
    label: 'RQ on methanol',
    values: each(figure.lateQuotient),
    expected: [0.55, 0.65],
  },
  {
    label: 'biomass per methanol, g/g',
    values: each(figure.methanolYield),
    expected: [0.25, 0.4],
  },
]

const cho: readonly Entry[] = [
  { label: 'peak VCD, 1e6 cells/mL', values: each(figure.peak('VCD')), expected: [10, 35] },
  {
    label: 'its largest per least median of a clone',
    values: span(figure.peak('VCD')),
    expected: [1.2, 1.6],
  },
  {
    label: 'peak VCD of the platform clone, 1e6 cells/mL',
    values: ofPlatform(figure.peak('VCD')),
    expected: [15, 17.5, 20.5],
  },
  {
    label: 'viability at the end of the platform clone, %',
    values: ofPlatform(figure.last('Viability')),
    expected: [65, 72, 78],
  },
  { label: 'final titer, g/L', values: each(figure.last('Titer')), expected: [1, 7] },
  { label: 'its largest per least median of a clone', values: span(figure.last('Titer')), expected: [2, 4] },
  {
    label: 'final titer of the platform clone, g/L',
    values: ofPlatform(figure.last('Titer')),
    expected: [2.6, 3.4, 4.1],
  },
  { label: 'peak lactate, g/L', values: each(figure.peak('Lactate')), expected: [2, 5] },
  {
    label: 'growth on days 0 to 4, 1/d',
    values: each(figure.cellGrowth),
    expected: [0.5, 0.8],
  },
  { label: 'day of the peak of VCD', values: each(figure.peakDay), expected: [7, 10] },
  {
    label: 'VCD at the end per peak',
    values: each(figure.endPerPeak('VCD')),
    expected: [0.5, 0.8],
  },
  { label: 'total cells at the end per day 10', values: each(figure.lateTotalCells), expected: [0, 1] },
  { label: 'IVCD, 1e6 cells d/mL', values: each(figure.cellDays), expected: [100, 270] },
  {
    label: 'qP, pg/cell/d',
    values: each(figure.cellProductivity),
    expected: [15, 40],
    reason: 'the least productive clone of the panel makes half as much as the platform clone',
  },
  {
    label: 'qO2 on day 3, pmol/cell/h',
    values: each(figure.cellUptakeOn(3)),
    expected: [0.214, 0.285],
    reason:
      'Goudar: 0.214 to 0.240 at 36.5 °C; EPFL 80790: 0.254 to 0.285; clones differ, and VCD has an error of counting',
  },
  {
    label: 'qO2 on day 10, pmol/cell/h',
    values: each(figure.cellUptakeOn(10)),
    expected: [0.165, 0.24],
    reason: 'Goudar: 0.165 at 30.5 °C, 0.240 at 36.5 °C; as on day 3',
  },
  {
    label: 'share of runs that do not turn to using lactate',
    values: (runs) => [mean(runs.map((run) => (figure.endPerPeak('Lactate')(run) > 0.5 ? 1 : 0)))],
    expected: [0.1, 0.2],
  },
  {
    label: 'osmolality at the end, mOsm/kg',
    values: each(figure.last('Osmolality')),
    expected: [0, 450],
    reason: 'concentrated feed each day and base add up over 14 days; no bolus of water corrects them',
  },
  {
    label: 'correlation of titer and IVCD within a clone',
    values: titerAndCells,
    expected: [0.7, 0.9],
    reason: 'from reported values, with the errors of counting and of the assay; 0.73 to 0.82 without them',
  },
]

const perfusion: readonly Entry[] = [
  { label: 'length of the run, h', values: each(figure.length), expected: [720, 1440] },
  { label: 'peak VCD, 1e6 cells/mL', values: each(figure.peak('VCD')), expected: [50, 100] },
  { label: 'viability at the end, %', values: each(figure.last('Viability')), expected: [80, 98] },
  { label: 'medium, volumes a day', values: each(figure.perDay('Feed volume')), expected: [1, 3] },
  { label: 'bleed, volumes a day', values: each(figure.perDay('Bleed volume')), expected: [0.05, 0.4] },
  { label: 'titer in the vessel at the end, g/L', values: each(figure.last('Titer')), expected: [0.5, 2] },
]

/** One recipe in four sizes of vessels. */
const transfer: readonly Entry[] = [
  ...[2, 5, 200, 2000].map((size) => ({
    label: `final titer at ${size} L, g/L`,
    values: (runs: readonly SoundRun[]) => titersAt(runs, size),
  })),
  {
    label: 'share of the titer lost from 2 to 2000 L',
    values: (runs) => [1 - median(titersAt(runs, 2000)) / median(titersAt(runs, 2))],
    expected: [0.02, 0.2],
  },
]

const loops: readonly Entry[] = [
  { label: 'deviation of temperature, K', values: each(figure.temperatureSpread), expected: [0.03, 0.12] },
  { label: 'its mean from the set point, K', values: each(figure.temperatureOffset), expected: [0, 0.05] },
  { label: 'its autocorrelation, median', values: middle(figure.temperatureMemory), expected: [0.3, 0.63] },
  { label: 'deviation of pH', values: each(figure.phSpread) },
]
/** Microbes breathe less when the batch ends; a batch of CHO does not end. */
const rise: Entry = { label: 'DO peak at batch end, %', values: each(figure.oxygenPeak), expected: [70, 100] }

const volume: Entry = { label: 'volume balance', values: each(figure.volumeBalance), expected: [0.98, 1.02] }
const microbial = (quotients: readonly [number, number, number]): Entry[] => [
  volume,
  { label: 'carbon found per carbon fed', values: each(figure.carbonRecovery), expected: [0.9, 1.1] },
  { label: 'OD600 per DCW', values: (runs) => runs.flatMap(figure.densities), expected: [2, 4] },
  { label: 'RQ of the whole run', values: each(figure.quotient), expected: quotients },
]

export const sections: readonly Section[] = [
  {
    title: 'Runs',
    text: `An ambr250 of 75 h (jonruh/TP-scale-down) ends with 47 to 93 g/L of DCW of E. coli; these runs are shorter, and designs vary the
induction OD. The total cells of CHO are flat or falling from day 10 on (PMC6999402).`,
    entries: { 'E. coli': ecoli, Pichia: pichia, CHO: cho, Perfusion: perfusion, Transfer: transfer },
  },
  {
    title: 'Loops',
    text: `Standard deviations, and the lag-1 autocorrelation, of a reading every 12 minutes (10 in CHO) before the shift of the temperature.
IndPenSim (six reference batches, and seeds 101 to 103 and 301 of cjpulmano/indpensim-py, without faults) has 0.07 to 0.22 K in vessels of
57 to 89 m³, a mean within 0.05 K, an autocorrelation of 0.34 to 0.63, and 0.02 to 0.04 of pH. CHO holds pH in a band.`,
    entries: { 'E. coli loops': [...loops, rise], 'Pichia loops': [...loops, rise], 'CHO loops': loops },
  },
  {
    title: 'Balances',
    text: 'The volume balance is the culture volume per volume that pumps and samples account for.',
    shares: [0, 0.5, 1],
    entries: {
      'E. coli': microbial([1.05, 1.07, 1.1]),
      Pichia: microbial([0.57, 0.585, 0.6]),
      CHO: [volume],
      Perfusion: [volume],
    },
  },
]

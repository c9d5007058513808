import { pairs } from '../rows/curve.ts'
import { isoOf } from '../rows/instant.ts'
import type { Run } from '../rows/run.ts'
import { conversion } from '../rows/units.ts'
import { together, unless, type Invariant, type Judgement, type Problems } from '../invariant.ts'
import { isRecord, nameOf } from '../rows/row.ts'
import { say } from '../message.ts'

const ofPoints = {
  judges: ['v_timeseries'],
  whole: ['v_timeseries', 'v_timeseries_data', 'v_quantities', 'v_bioprocesses'],
} as const

const totals = [
  'Feed volume',
  'Base volume',
  'Acid volume',
  'Antifoam volume',
  'Methanol volume',
  'Permeate volume',
  'Bleed volume',
]
/** How far a total may fall, as a share of the largest total: it may come from a balance that is not steady. */
const tolerance = 0.001

/** P22. */
export const monotone: Invariant = together(
  'P22',
  'Totals of pumped volumes never fall',
  ofPoints,
  function* (store) {
    for (const run of store.runs) {
      for (const { quantity, points, id } of run.series) {
        if (!points || points.statistics.count === 0 || !totals.includes(quantity ?? '')) continue
        const { times, values } = points
        const allowed = tolerance * Math.abs(points.statistics.max!)
        let highest = -Infinity
        let fallen = -1
        for (let i = 0; i < values.length && fallen < 0; i++) {
          if (values[i]! < highest - allowed) fallen = i
          if (values[i]! > highest) highest = values[i]!
        }
        const message = say`The total falls from ${highest} to ${values[fallen]} at ${fallen < 0 ? '' : isoOf(times[fallen]!)}.`
        yield { view: 'v_timeseries', row: id, problems: unless(fallen < 0, message) }
      }
    }
  },
)

/** Tolerances of cell counts: viable cells may exceed all cells by a share, and the viability may be off by points. */
const counting = { share: 0.03, points: 5 }

/** P23. */
export const cells: Invariant = together(
  'P23',
  'The viability is the share of viable cells',
  ofPoints,
  function* ({ runs }) {
    for (const run of runs) {
      const total = run.curve('TCD', '1e6 cells/mL')
      const viable = run.curve('VCD', '1e6 cells/mL')
      const viability = run.curve('Viability', '%')
      if (!total || !viable) continue
      const shares = Array.from(pairs(viable, total)).filter(([, all]) => all > 0)
      const known = viability && {
        times: shares.map(([, , at]) => at),
        values: shares.map(([alive, all]) => (100 * alive) / all),
      }
      if (shares.length === 0) continue
      const more = shares.find(([alive, all]) => alive > (1 + counting.share) * all)
      const off =
        known &&
        Array.from(pairs(known, viability)).find(([share, said]) => Math.abs(share - said) > counting.points)
      yield judgementOf(run, 'VCD', [
        ...(more ? [say`There are more viable cells, ${more[0]}, than cells in total, ${more[1]}.`] : []),
        ...(off ? [say`The viability is ${off[1]}, but the cell counts give ${off[0]}.`] : []),
      ])
    }
  },
)

/** Bounds in % with a margin for sensors. DO is relative to air: pure oxygen gives about five times as much. */
const bounds: Readonly<Record<string, readonly [low: number, high: number]>> = {
  DO: [-5, 500],
  Viability: [0, 100],
  'Inlet O2 fraction': [-1, 101],
  'Off-gas O2': [-1, 101],
  'Off-gas CO2': [-1, 101],
  'Foam level': [-5, 105],
}

/** P24, judged by the statistics of a series. */
export const bounded: Invariant = together(
  'P24',
  'Percentages stay within their bounds',
  { judges: ['v_timeseries'], whole: ['v_quantities'] },
  function* (store) {
    const names = store.standardNames
    for (const row of store.rows('v_timeseries')) {
      const [low, high] = bounds[names.get(row['quantity_id']) ?? ''] ?? []
      const factor = conversion(row['unit'], '%')
      const { min, max } = isRecord(row['statistics']) ? row['statistics'] : {}
      if (low === undefined || high === undefined || row['unit'] === '' || !(factor > 0)) continue
      if (typeof min !== 'number' || typeof max !== 'number') continue
      const holds = factor * min >= low && factor * max <= high
      yield {
        view: 'v_timeseries',
        row: nameOf(row),
        problems: unless(holds, say`The values range from ${min} to ${max} ${row['unit']}.`),
      }
    }
  },
)

/** RQ may be smoothed or calculated from unrounded rates. Below `breathing`, an OUR in mmol/L/h, rates are mostly noise. */
const quotient = { share: 0.05, absolute: 0.02, breathing: 1, exceptions: 0.01 }

/** P25, judged for runs that passed: it holds at 99 % of the times that the three signals share. */
export const respiration: Invariant = together(
  'P25',
  'RQ is CER divided by OUR',
  ofPoints,
  function* ({ runs }) {
    for (const run of runs) {
      const uptake = run.curve('OUR', 'mmol/L/h')
      const release = run.curve('CER', 'mmol/L/h')
      const said = run.curve('RQ', '')
      if (!run.passed || !uptake || !release || !said) continue
      const breathing = Array.from(pairs(release, uptake)).filter(([, rate]) => rate >= quotient.breathing)
      const calculated = {
        times: breathing.map(([, , at]) => at),
        values: breathing.map(([out, rate]) => out / rate),
      }
      const both = Array.from(pairs(said, calculated))
      const off = both.filter(
        ([one, other]) => Math.abs(one - other) > quotient.absolute + quotient.share * Math.abs(other),
      )
      if (both.length === 0) continue
      const message = say`RQ is ${off[0]?.[0]} where CER divided by OUR is ${off[0]?.[1]}; they differ at ${off.length} of ${both.length} times.`
      yield judgementOf(run, 'RQ', unless(off.length <= quotient.exceptions * both.length, message))
    }
  },
)

const judgementOf = (run: Run, quantity: string, problems: Problems): Judgement => ({
  view: 'v_timeseries',
  row: run.seriesOf(quantity)!.id,
  problems,
})

import { pairs } from '../rows/curve.ts'
import { isoOf } from '../rows/instant.ts'
import type { RowStore } from '../rows/row-store.ts'
import type { Run } from '../rows/run.ts'
import { together, unless, type Invariant, type Judgement, type Problems } from '../invariant.ts'
import { say } from '../message.ts'
import { carbonRecoveryOf, volumeBalanceOf } from './balances.ts'

/** The share of the largest titer allowed before induction, for leaky promoters and detection limits. */
const leak = 0.05

/** Judged if there is an induction. */
function productProblems(run: Run): Problems | undefined {
  const titer = (run.row['induction_event'] ?? null) === null ? undefined : run.curve('Titer', 'g/L')
  const { induction } = run
  if (!titer || Number.isNaN(induction)) return undefined
  const allowed = leak * Math.max(0, ...titer.values)
  const values = Array.from(titer.values)
  const early = values.findIndex((value, i) => titer.times[i]! < induction && value > allowed)
  const at = early < 0 ? '' : isoOf(titer.times[early]!)
  return unless(
    early < 0,
    say`The titer is ${titer.values[early]} g/L at ${at}, before the induction at ${isoOf(induction)}.`,
  )
}

const within = (share: number) => (balance: number | undefined) =>
  balance === undefined || Number.isNaN(balance) ? undefined : Math.abs(balance - 1) <= share

function volumeProblems(run: Run): Problems | undefined {
  const balance = volumeBalanceOf(run)
  const holds = within(0.02)(balance)
  return holds === undefined
    ? undefined
    : unless(
        holds,
        say`The last culture volume is ${balance} times the volume that additions and removals give.`,
      )
}

function carbonProblems(run: Run): Problems | undefined {
  const recovery = carbonRecoveryOf(run)
  const holds = within(0.1)(recovery)
  return holds === undefined
    ? undefined
    : unless(holds, say`The carbon found is ${recovery} times the carbon fed.`)
}

/** Below this dry weight in g/L, both OD and dry weight are near their detection limits. */
const measurable = 1

/** Judges the median of the samples: a single sample varies more than strains do. */
function densityProblems(run: Run): Problems | undefined {
  const density = run.curve('OD600', '')
  const weight = run.curve('DCW', 'g/L')
  if (!density || !weight) return undefined
  const ratios = Array.from(pairs(density, weight))
    .filter(([, dry]) => dry >= measurable)
    .map(([od, dry]) => od / dry)
    .sort((one, other) => one - other)
  const median = ratios[ratios.length >> 1]
  return median === undefined
    ? undefined
    : unless(median >= 2 && median <= 4, say`The median of OD600 per g/L of dry weight is ${median}.`)
}

const views = {
  judges: ['v_bioprocesses'],
  whole: ['v_timeseries', 'v_timeseries_data', 'v_quantities', 'v_bioprocess_quantity_data'],
} as const

/** Judges the runs that passed their quality control: failed runs may be implausible. */
function ofPassed(id: string, title: string, problems: (run: Run) => Problems | undefined): Invariant {
  return together(id, title, views, function* ({ runs }: RowStore): Generator<Judgement> {
    for (const run of runs) {
      const found = run.passed ? problems(run) : undefined
      if (found) yield { view: 'v_bioprocesses', row: run.id, problems: found }
    }
  })
}

export const product = ofPassed('P26', 'No product is measured before the induction', productProblems)
export const volume = ofPassed(
  'P31',
  'The culture volume is additions minus removals, within 2 %',
  volumeProblems,
)
export const carbon = ofPassed('P32', 'The carbon balance closes within 10 %', carbonProblems)
export const density = ofPassed('P38', 'OD600 per g/L of dry weight is between 2 and 4', densityProblems)

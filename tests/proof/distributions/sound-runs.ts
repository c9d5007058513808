import type { Curve } from '../../../invariants/rows/curve.ts'
import type { Micros } from '../../../invariants/rows/instant.ts'
import { numberOf, type Row } from '../../../invariants/rows/row.ts'
import { RowStore } from '../../../invariants/rows/row-store.ts'
import type { Run } from '../../../invariants/rows/run.ts'
import type { ViewName } from '../../../schemas/index.ts'

/** The views that a run is read from: points last. */
const views = [
  'v_bioprocesses',
  'v_quantities',
  'v_bioprocess_quantity_data',
  'v_timeseries',
  'v_timeseries_data',
] as const satisfies readonly ViewName[]

/** The rows of some runs, or of a whole plant. */
interface Rows {
  rows(view: (typeof views)[number]): Iterable<object>
}

/** The points of a series that have a value: a curve in plain lists. */
export interface Points {
  times: number[]
  values: number[]
}

/** A completed production run that passed its quality control, as an engineer reads it from its rows. */
export interface SoundRun {
  run: Run
  start: Micros
  end: Micros
  strain: string
  /** The points of a quantity, by its name in v_quantities; empty without any. */
  curve(quantity: string): Points
  /** A number that the recipe sets, by the name of its quantity; NaN if it does not. */
  setting(quantity: string): number
}

/**
 * The sound runs whose final titer is known. Seed cultures have none.
 *
 * @param parts of a plant, each with the rows of its views; points in the order of their time
 */
export function soundRuns(parts: Iterable<Rows>): SoundRun[] {
  const store = new RowStore()
  const names = new Map<unknown, string>()
  const settings = new Map<string, unknown>()
  for (const part of parts)
    for (const view of views)
      for (const row of part.rows(view) as Iterable<Row>) {
        store.add(view, row)
        if (view === 'v_quantities') names.set(row['id'], String(row['name']))
        if (view === 'v_bioprocess_quantity_data')
          settings.set(`${row['bioprocess_id']} ${names.get(row['quantity_id'])}`, row['value'])
      }
  return store.runs
    .map((run): SoundRun => {
      const settingOf = (quantity: string) => settings.get(`${run.id} ${quantity}`)
      return {
        run,
        start: run.start,
        end: run.end,
        strain: String(settingOf('Strain')),
        setting: (quantity) => numberOf(settingOf(quantity)),
        curve(quantity) {
          const found = run.series.find(({ row }) => names.get(row['quantity_id']) === quantity)
          return kept(found?.points ?? { times: [], values: [] }, (_, value) => !Number.isNaN(value))
        },
      }
    })
    .filter(({ run, setting }) => run.passed && !Number.isNaN(setting('Final titer')))
}

/** The points at some times or with some values. */
export function kept({ times, values }: Curve, isKept: (time: Micros, value: number) => boolean): Points {
  const isKeptAt = (_: number, i: number) => isKept(times[i]!, values[i]!)
  return { times: Array.from(times).filter(isKeptAt), values: Array.from(values).filter(isKeptAt) }
}

import type { KeptView } from '../rows/row-store.ts'
import { dimensionOf, sameDimension, unitOf } from '../rows/units.ts'
import { together, unless, type Invariant, type Judgement } from '../invariant.ts'
import { keyOf, nameOf, type Row } from '../rows/row.ts'
import { say, words } from '../message.ts'

const measured = ['v_timeseries', 'v_bioprocess_quantity_data'] as const

/** P21, judged if the unit and the base units are known. For a quantity with a molar mass, mol and kg are the same. */
export const dimensions: Invariant = together(
  'P21',
  'Units have the dimension of their quantity',
  { judges: [...measured, 'v_quantities'], whole: ['v_quantities'] },
  function* (store) {
    const quantities = store.byId('v_quantities')
    for (const row of quantities.values())
      yield* judged('v_quantities', row, row, ['default_unit', 'default_ingestion_unit'])
    for (const view of measured)
      for (const row of store.rows(view))
        yield* judged(view, row, quantities.get(keyOf(row['quantity_id'])), ['unit'])
  },
)

function* judged(
  view: KeptView,
  row: Row,
  quantity: Row | undefined,
  columns: readonly string[],
): Generator<Judgement> {
  const base = dimensionOf(quantity?.['base_units'])
  if (!quantity || !base) return
  const known = columns.flatMap((column) => {
    const unit = unitOf(row[column])
    return unit ? [{ column, unit }] : []
  })
  if (known.length === 0) return
  const amounts = (quantity['molar_mass'] ?? null) !== null
  const problems = known.flatMap(({ column, unit }) =>
    unless(
      sameDimension(unit.dimension, base, amounts),
      say`${words(column)} is ${row[column]}, but the base units of ${quantity['name']} are ${quantity['base_units']}.`,
    ),
  )
  yield { view, row: nameOf(row), problems }
}

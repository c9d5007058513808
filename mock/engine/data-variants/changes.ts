import { bioprocessChanges } from './bioprocesses.ts'
import { everyViewChanges } from './every-view.ts'
import { formulaChanges } from './formulas.ts'
import { quantityChanges } from './quantities.ts'
import { seriesChanges } from './series.ts'
import type { Changes } from './view-change.ts'

/** What the knobs of the data do, in the order in which they are applied. */
export const changes: Readonly<Record<string, Changes>> = {
  ...bioprocessChanges,
  ...quantityChanges,
  ...formulaChanges,
  ...seriesChanges,
  ...everyViewChanges,
}

import { bioprocessChanges } from './bioprocesses.ts'
import type { Changes } from './view-change.ts'

/** What the knobs of the data do, in the order in which they are applied. */
export const changes: Readonly<Record<string, Changes>> = {
  ...bioprocessChanges,
}

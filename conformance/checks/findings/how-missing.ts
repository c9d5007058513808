import type { ViewName } from '../../../schemas/index.ts'
import { unlessRefused } from '../../connection/not-exercised.ts'
import type { Target } from '../../connection/target.ts'

/** Completes "v_x …": whether it lacks columns, or refuses their names although `SELECT *` shows them. */
export async function howMissing(t: Target, name: ViewName, missing: readonly string[]): Promise<string> {
  const all = await unlessRefused(t.selectAll(name, 'LIMIT 200'))
  const shown = missing.every((column) => all?.rows.some((row) => column in row))
  const columns = `${missing.length === 1 ? 'column' : 'columns'} ${missing.join(', ')}`
  return shown ? `refuses the ${columns} when named, although SELECT * shows it` : `has no ${columns}`
}

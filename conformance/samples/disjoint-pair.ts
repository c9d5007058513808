import type { ViewName } from '../../schemas/index.ts'
import { unlessRefused } from '../connection/not-exercised.ts'
import type { Selection, Target } from '../connection/target.ts'
import { whole } from './whole.ts'

/** Text columns of small views that usually share no value. */
const CANDIDATES: { left: [ViewName, string]; right: [ViewName, string] }[] = [
  { left: ['v_quantities', 'id'], right: ['v_experiments', 'id'] },
  { left: ['v_formulas', 'id'], right: ['v_quantities', 'id'] },
  { left: ['v_experiments', 'id'], right: ['v_formulas', 'id'] },
  { left: ['v_bioprocesses', 'id'], right: ['v_quantities', 'id'] },
  { left: ['v_quantities', 'name'], right: ['v_experiments', 'external_id'] },
  { left: ['v_formulas', 'formula'], right: ['v_quantities', 'default_unit'] },
]

export interface DisjointPair {
  left: Selection
  right: Selection
  on: { left: [ViewName, string]; right: [ViewName, string] }
}

const folded = ({ rows }: Selection, column: string): string[] =>
  rows.flatMap((row) => (typeof row[column] === 'string' ? [row[column].trim().toLowerCase()] : []))

/** The first pair of columns that share no value under any collation, both read whole. */
export async function disjointPair(t: Target): Promise<DisjointPair | undefined> {
  for (const on of CANDIDATES) {
    const left = await unlessRefused(whole(t, on.left[0], [on.left[1]]))
    const right = await unlessRefused(whole(t, on.right[0], [on.right[1]]))
    if (!left || !right || left.rows.length < 2 || right.rows.length < 2) continue
    const known = new Set(folded(right, on.right[1]))
    if (!folded(left, on.left[1]).some((value) => known.has(value))) return { left, right, on }
  }
  return undefined
}

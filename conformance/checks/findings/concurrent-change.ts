import { contract, type ViewName } from '../../../schemas/index.ts'
import { inconclusive, type Finding } from '../check.ts'
import { canonical, type JsonObject } from '../../connection/json.ts'
import { isWhole, seenOf, type Selection, type Target } from '../../connection/target.ts'
import { keyColumns } from '../../comparisons/projection.ts'
import { newest, updatesOf } from '../../connection/updates.ts'

/**
 * Answers that differ prove nothing where rows changed between them. Reads the rows that were compared a second
 * time; where they are others by now the finding is inconclusive, undefined where nothing moved.
 *
 * @param doing completes "rows of v_x changed while they were …".
 */
export async function whereMoved(
  t: Target,
  doing: string,
  ...bases: readonly (Selection | undefined)[]
): Promise<Finding | undefined> {
  for (const before of bases) {
    const after = before && (await t.readAgain(before))
    if (before && after) return changed(doing, before, after).finding
  }
  return undefined
}

/** The rows of a base that nobody wrote meanwhile, and what to say of the others. */
export interface Steady {
  rows: JsonObject[]
  /** What {@link whereMoved} says; undefined where nothing moved. */
  moved?: Finding
  /** Whether rows vanished that a delta does not tell of. */
  unseen: boolean
}

/** Reads a base again: what differs in the rows that are the same, no write explains. */
export async function steadyRows(t: Target, doing: string, before: Selection): Promise<Steady> {
  const after = await t.readAgain(before)
  if (!after) return { rows: before.rows, unseen: false }
  const { finding, vanished } = changed(doing, before, after)
  return { rows: unchanged(before, after), moved: finding, unseen: vanished > 0 }
}

/** The rows of the first reading that the second one shows too. */
export function unchanged(before: Pick<Selection, 'rows'>, after: Pick<Selection, 'rows'>): JsonObject[] {
  const still = new Set(seenOf(before, after).map(canonical))
  return before.rows.filter((row) => still.has(canonical(row)))
}

function changed(doing: string, before: Selection, after: Selection): { finding: Finding; vanished: number } {
  const name = viewOf(before)
  const vanished = vanishedUnseen(name, before, after)
  const unseen =
    vanished === 0
      ? ''
      : `; ${vanished} vanished although no ${contract.delta.column} is newer: a delta does not tell of it`
  const finding = inconclusive(`rows of ${name} changed while they were ${doing}${unseen}`, {
    moved: true,
    exchanges: [before.reply.exchange, after.reply.exchange],
  })
  return { finding, vanished }
}

/**
 * How many rows are gone from a view without its newest update having moved. Known only of views that were read whole
 * with their keys and their updates.
 */
export function vanishedUnseen(
  name: ViewName,
  before: Pick<Selection, 'rows' | 'sql'>,
  after: Pick<Selection, 'rows'>,
): number {
  const keys = keyColumns(name)
  const key = (row: JsonObject) => canonical(keys.map((column) => row[column] ?? null))
  const told = [...keys, contract.delta.column].every((column) => before.rows[0] && column in before.rows[0])
  if (!told || !isWhole(before) || !isWhole({ ...before, ...after })) return 0
  const last = newest(updatesOf(before.rows))
  const now = newest(updatesOf(after.rows))
  if (last === undefined || (now !== undefined && now > last)) return 0
  const left = new Set(after.rows.map(key))
  return before.rows.filter((row) => !left.has(key(row))).length
}

/** The view that a statement of ours reads; a bound behind it may name another. */
const viewOf = ({ sql }: Selection): ViewName => / FROM (\w+)/.exec(sql)![1] as ViewName

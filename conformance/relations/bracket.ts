import { contract, views, type ViewName } from '../../schemas/index.ts'
import { inconclusive, type Finding } from '../check.ts'
import { canonical, type JsonObject } from '../target/json.ts'
import { isWhole, type Selection, type Target } from '../target/target.ts'
import { keyColumns } from './projection.ts'
import { newest, updatesOf } from './updates.ts'

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
    if (!before || !after) continue
    const name = viewOf(before)
    const vanished = vanishedUnseen(name, before, after)
    const unseen =
      vanished === 0
        ? ''
        : `; ${vanished} vanished although no ${contract.delta.column} is newer: a delta does not tell of it`
    return inconclusive(`rows of ${name} changed while they were ${doing}${unseen}`, {
      moved: true,
      exchanges: [before.reply.exchange, after.reply.exchange],
    })
  }
  return undefined
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

/** The view that a statement of ours reads: it names only one. */
const viewOf = ({ sql }: Selection): ViewName =>
  views.map(({ name }) => name).find((name) => new RegExp(`\\b${name}\\b`).test(sql))!

import { contract, type ViewName } from '../../../schemas/index.ts'
import { changeInWords, unchanged, vanishedUnseen } from '../../comparisons/row-changes.ts'
import type { JsonObject } from '../../connection/values/json.ts'
import { isComplete } from '../../samples/whole.ts'
import type { Selection, Target } from '../../connection/target.ts'
import { inconclusive, type Finding } from '../check.ts'

/**
 * Reads the compared rows again. Inconclusive if they changed, because then a difference proves nothing; else undefined.
 *
 * @param doing completes "rows of v_x changed while they were …".
 */
export async function findConcurrentChange(
  t: Target,
  doing: string,
  ...bases: readonly (Selection | undefined)[]
): Promise<Finding | undefined> {
  for (const before of bases) {
    const after = before && (await t.readAgain(before))
    if (before && after) return (await changed(t, doing, before, after)).finding
  }
  return undefined
}

export interface UnchangedRows {
  rows: JsonObject[]
  /** The finding of {@link findConcurrentChange}; undefined if all rows are unchanged. */
  change?: Finding
  /** Whether rows vanished without a newer update. */
  unseen: boolean
}

/** The rows that a second reading returns unchanged. A concurrent change cannot explain a difference in these. */
export async function unchangedRows(t: Target, doing: string, before: Selection): Promise<UnchangedRows> {
  const after = await t.readAgain(before)
  if (!after) return { rows: before.rows, unseen: false }
  const { finding, vanished } = await changed(t, doing, before, after)
  return { rows: unchanged(before, after), change: finding, unseen: vanished > 0 }
}

async function changed(
  t: Target,
  doing: string,
  before: Selection,
  after: Selection,
): Promise<{ finding: Finding; vanished: number }> {
  const name = viewOf(before)
  const bothWhole = (await isComplete(t, before)) && (await isComplete(t, after))
  const vanished = bothWhole ? vanishedUnseen(name, before, after) : 0
  const unseen =
    vanished === 0
      ? ''
      : `; ${vanished} vanished without a newer ${contract.delta.column}, so a delta does not show the change`
  const finding = inconclusive(`${changeInWords(name, before, after, doing)}${unseen}`, {
    concurrentChange: true,
    exchanges: [before.reply.exchange, after.reply.exchange],
  })
  return { finding, vanished }
}

/** The view that a statement of the suite reads. Its bound may name another view. */
const viewOf = ({ sql }: Selection): ViewName => / FROM (\w+)/.exec(sql)![1] as ViewName

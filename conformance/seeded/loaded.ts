import type { ViewName } from '../../schemas/index.ts'
import { describeReply } from '../connection/reply.ts'
import { NotExercised } from '../connection/target.ts'
import { columnsOf } from './columns.ts'
import { questionOf, type SideBySide } from './side-by-side.ts'

/** Small views whose rows depend on seed and scale. */
const TELLING: readonly ViewName[] = ['v_quantities', 'v_experiments', 'v_bioprocesses']

/**
 * Why answers cannot be compared: the target does not hold the rows that the reference server holds. Undefined if it
 * does. Told by the ids of small views, which are asked for once, in a documented way.
 */
export const whyNotLoaded = (both: SideBySide): Promise<string | undefined> =>
  both.target.once('seeded rows', async () => {
    for (const view of TELLING) {
      const [id] = columnsOf({ view, alias: view })
      const result = await both.compare(
        questionOf({ items: [{ expression: id!, name: id!.name }], from: { view, alias: view } }),
      )
      if (result.is === 'same') continue
      if (result.is === 'refused')
        return `\`SELECT id FROM ${view}\` was answered ${describeReply(result.reply)}`
      const why = result.is === 'differs' ? result.difference.message : result.why
      const { seed, scale } = both.reference.server
      return (
        `the target does not hold the plant of seed ${seed} at scale ${scale} (${view}: ${why}). ` +
        `Write its rows with \`${both.reference.exportCommand}\`, load them and nothing else, and try again`
      )
    }
    return undefined
  })

/** @throws NotExercised where the target does not hold the rows that its answers are compared with */
export async function requireLoaded(both: SideBySide): Promise<void> {
  if ((await whyNotLoaded(both)) !== undefined)
    throw new NotExercised('the target does not hold the rows to compare with, see seeded.loaded')
}

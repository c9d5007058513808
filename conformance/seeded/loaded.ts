import type { ViewName } from '../../schemas/index.ts'
import { describeReply } from '../connection/http/reply.ts'
import { NotExercised } from '../connection/target.ts'
import { columnsOf } from '../search/statements/syntax.ts'
import { questionOf } from '../search/side-by-side.ts'
import type { WithReference } from './reference.ts'

/** Small views with rows that depend on seed and scale. */
const SEED_DEPENDENT: readonly ViewName[] = ['v_quantities', 'v_experiments', 'v_bioprocesses']

/**
 * Why the target does not have the rows of the reference; undefined if it does. Compares the ids of small views with
 * documented statements, once.
 */
export const whyNotLoaded = (both: WithReference): Promise<string | undefined> =>
  both.target.once('seeded rows', async () => {
    for (const view of SEED_DEPENDENT) {
      const from = { view, alias: view }
      const result = await both.compare(questionOf({ items: columnsOf(from).slice(0, 1), from }))
      if (result.is === 'same') continue
      if (result.is === 'refused') return `\`SELECT id FROM ${view}\` got ${describeReply(result.reply)}`
      const why = result.is === 'differs' ? result.difference.message : result.why
      const { seed, scale } = both.source.server
      return (
        `the target does not contain exactly the plant of seed ${seed} at scale ${scale} (${view}: ${why}). ` +
        `Write its rows with \`${both.source.exportCommand}\`, load only these rows, and run again`
      )
    }
    return undefined
  })

/** @throws NotExercised when the target does not have the rows of the reference */
export async function requireLoaded(both: WithReference): Promise<void> {
  if ((await whyNotLoaded(both)) !== undefined)
    throw new NotExercised('the target does not have the rows of the reference, see seeded.loaded')
}

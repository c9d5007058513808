import { joinSpelling } from '../samples/join.ts'
import type { Target } from '../connection/target.ts'
import { randomOf, SEED } from '../connection/values/random.ts'
import { fuzz, type FuzzResult } from './fuzz.ts'
import { OwnRows } from './own-rows.ts'
import { SideBySide } from './side-by-side.ts'
import { generateDocumented } from './statements/generate-documented.ts'
import { FEW_TRIES } from './statements/shrink.ts'
import { spread } from './statements/spread.ts'

/** The result of {@link search}, once in a run. */
export const searchOnce = (t: Target): Promise<FuzzResult | undefined> => t.once('search', () => search(t))

/** Sends the statements and compares the rows with those of the views; undefined if no view can be read whole. */
async function search(t: Target): Promise<FuzzResult | undefined> {
  const own = await OwnRows.of(t)
  if (own.searched.length === 0) return undefined
  const { as } = await joinSpelling(t)
  const context = { random: randomOf(SEED), values: await own.values(), views: own.searched, as }
  const { fuzz: count = 0 } = t.options
  const queries = [
    ...spread(
      context,
      own.changing.filter((view) => own.searched.includes(view)),
    ),
    ...Array.from({ length: count }, () => generateDocumented(context)),
  ].filter(({ limit = 0 }) => limit <= t.rows(limit))
  return fuzz(new SideBySide(t, own, (sql) => t.shared(sql)), {
    queries,
    concurrency: 1,
    refusalsDiffer: false,
    ...(count === 0 && { tries: FEW_TRIES }),
  })
}

import { anyMoment } from '../../answers/moving.ts'
import type { Reply } from '../../connection/http/reply.ts'
import type { Target } from '../../connection/target.ts'
import { canonical, type Json } from '../../connection/values/json.ts'
import { observed, type Finding } from '../check.ts'

/** How often a statement is repeated, and how many sizes show that they vary. */
const [REPETITIONS, LEAST_SIZES] = [6, 3]

/**
 * Observes that answers end after another number of rows each time, as with a cap on the time or the load of an answer; else undefined.
 * Rows that are lost at random are missing between others, too.
 *
 * @param sql a statement whose answer was longer than another one, or had all rows
 */
export async function findVaryingCap(t: Target, sql: string): Promise<Finding | undefined> {
  const replies = await t.once(`repetitions of ${sql}`, async () => {
    const all: Reply[] = []
    for (let n = 0; n < REPETITIONS; n++) {
      await anyMoment(t)
      all.push(await t.query(sql))
    }
    return all
  })
  const answers = replies.flatMap(({ ok, data }): Json[][] => (ok && data.length > 0 ? [data] : []))
  const sizes = answers.map(({ length }) => length)
  const longest = answers.find(({ length }) => length === Math.max(...sizes)) ?? []
  const isStart = (rows: Json[]) => canonical(rows) === canonical(longest.slice(0, rows.length))
  if (new Set(sizes).size < LEAST_SIZES || !answers.every(isStart)) return undefined
  return observed(
    `\`${sql}\` returned ${sizes.join(', ')} rows when it was repeated, each time the first ones: a cap that varies`,
    { exchanges: replies.map(({ exchange }) => exchange).slice(0, 2) },
  )
}

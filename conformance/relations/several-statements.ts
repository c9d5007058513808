import type { Seen } from '../probe.ts'
import { counted } from '../probes/reading.ts'
import { severalStatements, viewsOfSeveral } from '../target/replies.ts'
import { describeReply } from '../target/reply.ts'
import { rowsOf } from '../target/rows.ts'
import type { Target } from '../target/target.ts'

/** What becomes of two statements in one text (NS-18). They differ in the view they read: whose rows come back tells which were executed. */
export async function seenOfSeveral(t: Target): Promise<Seen> {
  const reply = await severalStatements(t)
  if (!reply.ok) return { variant: 'error', seen: describeReply(reply) }
  const [first, last] = await Promise.all(
    viewsOfSeveral.map(async (name) => new Set((await t.sample(name)).rows.map(({ id }) => id))),
  )
  const ids = (rowsOf(reply, ['id'], true)?.rows ?? []).map(({ id }) => id)
  const of = (view: typeof first) => ids.some((id) => view!.has(id))
  const seen = `${counted(ids.length, 'row')} came back`
  if (of(first) && of(last)) return { variant: 'merged', seen: `rows of both statements came back` }
  if (of(first)) return { variant: 'first', seen: `${seen}, of the first statement` }
  if (of(last)) return { variant: 'last', seen: `${seen}, of the last statement` }
  return { seen }
}

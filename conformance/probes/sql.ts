import { harmlessReplies } from '../checks/security.ts'
import { probe, type Probe, type Seen } from '../probe.ts'
import { severalStatements, viewsOfSeveral } from '../target/replies.ts'
import { describeReply, type Reply } from '../target/reply.ts'
import { rowsOf } from '../target/rows.ts'
import type { Target } from '../target/target.ts'
import { granted } from './liberties.ts'
import { counted } from './reading.ts'

async function accepted(t: Target): Promise<Seen> {
  const writes = (await harmlessReplies(t)).filter(({ ok }) => ok).length
  const seen = writes > 0 ? `${counted(writes, 'write')} that touch no row accepted` : 'writes refused'
  if ((await granted(t, 'clauses')).served)
    return { variant: writes > 0 ? 'any' : 'select-only', seen: `GROUP BY and ORDER BY accepted, ${seen}` }
  const sorted = await t.shared('SELECT id FROM v_quantities ORDER BY id LIMIT 1')
  if (sorted.ok) return { variant: 'allow-list', seen: `ORDER BY accepted, GROUP BY refused, ${seen}` }
  return { variant: writes > 0 ? undefined : 'documented', seen: `GROUP BY and ORDER BY refused, ${seen}` }
}

/** The statements differ in the view they read: whose rows come back tells which were executed. */
async function several(t: Target): Promise<Seen | undefined> {
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

function emptyStatement(reply: Reply): Seen {
  const seen = describeReply(reply)
  if (reply.ok) return { variant: 'success', seen }
  const byStatus = reply.status === 400 || reply.status === 422
  return {
    variant: byStatus ? String(reply.status) : reply.envelope?.state === 'error' ? 'error' : undefined,
    seen,
  }
}

/** Whether something is accepted, by the words of the register. */
async function isGranted(t: Target, liberty: 'semicolon' | 'filter', refused: string): Promise<Seen> {
  const { served } = await granted(t, liberty)
  return { variant: served ? 'accepted' : refused, seen: served ? 'accepted' : 'refused' }
}

export const sqlProbes: Probe[] = [
  probe({ silence: 'NS-17', after: 'security.writes-refused', observe: accepted }),
  probe({ silence: 'NS-18', observe: several }),
  probe({ silence: 'NS-19', observe: async (t) => emptyStatement(await t.query('')) }),
  probe({ silence: 'NS-63', observe: (t) => isGranted(t, 'semicolon', 'error') }),
  probe({ silence: 'NS-64', observe: (t) => isGranted(t, 'filter', 'refused') }),
]

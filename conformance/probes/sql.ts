import { harmlessWrites } from '../connection/samples/writes.ts'
import { probe, type Probe, type Seen } from '../open-points/probe.ts'
import { describeReply, type Reply } from '../connection/reply.ts'
import { executedOfSeveral } from '../connection/samples/several-statements.ts'
import type { Target } from '../connection/target.ts'
import { granted } from './liberties.ts'
import { counted } from './reading.ts'

async function accepted(t: Target): Promise<Seen> {
  const writes = (await harmlessWrites(t)).filter(({ ok }) => ok).length
  const seen = writes > 0 ? `${counted(writes, 'write')} that touch no row accepted` : 'writes refused'
  if ((await granted(t, 'clauses')).served)
    return { variant: writes > 0 ? 'any' : 'select-only', seen: `GROUP BY and ORDER BY accepted, ${seen}` }
  const sorted = await t.shared('SELECT id FROM v_quantities ORDER BY id LIMIT 1')
  if (sorted.ok) return { variant: 'allow-list', seen: `ORDER BY accepted, GROUP BY refused, ${seen}` }
  return { variant: writes > 0 ? undefined : 'documented', seen: `GROUP BY and ORDER BY refused, ${seen}` }
}

async function several(t: Target): Promise<Seen> {
  const { reply, rows, executed } = await executedOfSeveral(t)
  if (!reply.ok) return { variant: 'error', seen: describeReply(reply) }
  if (executed === 'both') return { variant: 'merged', seen: 'rows of both statements came back' }
  const seen = `${counted(rows, 'row')} came back`
  return executed ? { variant: executed, seen: `${seen}, of the ${executed} statement` } : { seen }
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

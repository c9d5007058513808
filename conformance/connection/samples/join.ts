import type { Reply } from '../reply.ts'
import type { Target } from '../target.ts'

/** The documented join without its SELECT list. */
export const JOINED = 'FROM v_timeseries t LEFT JOIN v_bioprocesses b ON t.bioprocess_id = b.id'

/** The reply to the join with all columns of both views. Tries `*` and `t.*, b.*`: the contract shows neither. */
export async function joinOfAll(t: Target): Promise<{ written: string; reply: Reply }> {
  const star = await t.shared(`SELECT * ${JOINED} LIMIT 5`)
  if (star.ok) return { written: '*', reply: star }
  return { written: 't.*, b.*', reply: await t.shared(`SELECT t.*, b.* ${JOINED} LIMIT 5`) }
}

import { PLAIN_STATEMENT } from '../connection/http/client.ts'
import type { Reply } from '../connection/http/reply.ts'
import type { Target } from '../connection/target.ts'
import { requireControl } from './outcomes.ts'
import { executedOfSeveral } from './several-statements.ts'

const stacked = `${PLAIN_STATEMENT}; DELETE FROM v_bioprocesses WHERE 1 = 0`

/** Writes that change no row even if they are executed. */
const WRITES = [
  'UPDATE v_bioprocesses SET name = name WHERE 1 = 0',
  'DELETE FROM v_bioprocesses WHERE 1 = 0',
  'INSERT INTO v_bioprocesses SELECT * FROM v_bioprocesses WHERE 1 = 0',
  'WITH gone AS (DELETE FROM v_bioprocesses WHERE 1 = 0 RETURNING id) SELECT id FROM gone',
]

/** The replies to writes that change no row, sent once. */
export const harmlessWrites = (t: Target): Promise<Reply[]> =>
  t.once('harmless writes', async () => {
    await requireControl(t)
    const replies: Reply[] = []
    for (const sql of WRITES) replies.push(await t.query(sql))
    const reply = await t.query(stacked)
    // A target that executes only the first statement (sql.multi) has ignored the write.
    const isIgnored = reply.ok && (await executedOfSeveral(t)).executed === 'first'
    return isIgnored ? replies : [...replies, reply]
  })

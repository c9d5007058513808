import type { ViewName } from '../../schemas/index.ts'
import { check, compared, fail, inconclusive, notExercised, type Check, type Finding } from './check.ts'
import { describeReply, type Reply } from '../connection/reply.ts'
import { NotExercised, type Selection, type Target } from '../connection/target.ts'
import { executedOfSeveral } from '../connection/samples/several-statements.ts'
import { requireControl } from '../connection/samples/replies.ts'

const READ = 'SELECT id FROM v_bioprocesses LIMIT 1'

const stacked = `${READ}; DELETE FROM v_bioprocesses WHERE 1 = 0`

/** Writes that touch no row even where they are executed. */
const harmlessWrites = [
  'UPDATE v_bioprocesses SET name = name WHERE 1 = 0',
  'DELETE FROM v_bioprocesses WHERE 1 = 0',
  'INSERT INTO v_bioprocesses SELECT * FROM v_bioprocesses WHERE 1 = 0',
  'WITH gone AS (DELETE FROM v_bioprocesses WHERE 1 = 0 RETURNING id) SELECT id FROM gone',
]

export const harmlessReplies = (t: Target): Promise<Reply[]> =>
  t.once('harmless writes', async () => {
    await requireControl(t)
    const replies: Reply[] = []
    for (const sql of harmlessWrites) replies.push(await t.query(sql))
    const reply = await t.query(stacked)
    // Where the rest of a text is ignored (NS-18), the read in front of the write was answered, and not the write.
    const isIgnored = reply.ok && (await executedOfSeveral(t)).executed === 'first'
    return isIgnored ? replies : [...replies, reply]
  })

/** The views that the real writes aim at: one row of each is enough to see whether they work. */
const aims = {
  updated: 'v_formulas',
  deleted: 'v_bioprocess_quantity_data',
  inserted: 'v_archived_records',
} as const

/** Every row of a view in documented columns: unlike a sample it shows a change wherever it is. */
async function allRows(t: Target, name: ViewName): Promise<Selection> {
  const { present } = await t.columns(name)
  return t.select(`SELECT ${present.join(', ')} FROM ${name}`, present)
}

/** The id of a row, as a literal; the empty text where there is no such row. */
const id = ({ rows }: Selection, index = 0): string =>
  `'${String(rows[index]?.['id'] ?? '').replaceAll("'", "''")}'`

/** Writes that a target must not obey. */
function realWrites(updated: Selection, deleted: Selection): string[] {
  return [
    `UPDATE ${aims.updated} SET name = 'changed by the conformance suite' WHERE id = ${id(updated)}`,
    `DELETE FROM ${aims.deleted} WHERE id = ${id(deleted)}`,
    `WITH gone AS (DELETE FROM ${aims.deleted} WHERE id = ${id(deleted, 1)} RETURNING id) SELECT id FROM gone`,
    `${READ}; DELETE FROM ${aims.deleted} WHERE id = ${id(deleted, 2)}`,
    `INSERT INTO ${aims.inserted} (record_id, table_name, archived_at)
      VALUES ('conformance-suite', 'formulas', '2026-01-01T00:00:00Z')`,
    `DROP VIEW ${aims.inserted}`,
  ]
}

/** Writes for real, and looks whether the views show anything of it. */
async function destructiveProbes(t: Target): Promise<Finding> {
  const updated = await allRows(t, aims.updated)
  const deleted = await allRows(t, aims.deleted)
  const before = [updated, deleted, await allRows(t, aims.inserted)]
  for (const rows of before)
    if (await t.moved(rows)) return inconclusive(`the answer to \`${rows.sql}\` changes by itself`)

  const exchanges = []
  for (const sql of realWrites(updated, deleted))
    exchanges.push((await t.query(sql, { retries: 0 })).exchange)

  for (const rows of before) {
    const difference = await changed(t, rows)
    if (difference === undefined) continue
    return fail({
      message: `writes changed the answer to \`${rows.sql}\``,
      expected: `the same ${rows.rows.length} rows as before the writes`,
      actual: difference,
      exchanges,
    })
  }
  const count = before.reduce((sum, { rows }) => sum + rows.length, 0)
  return compared(exchanges.length, 'write', `without effect on ${count} rows of ${before.length} views`)
}

async function changed(t: Target, before: Selection): Promise<string | undefined> {
  try {
    return (await t.moved(before)) ? 'other rows' : undefined
  } catch (error) {
    if (error instanceof NotExercised) return error.message
    throw error
  }
}

export const securityChecks: Check[] = [
  check({
    id: 'security.read-only',
    requirement: 'REQ-SEC-1',
    title: 'MUST NOT change anything on behalf of a client',
    killedBy: ['writes-applied', 'writes-applied-in-secret', 'stacked-writes-applied', 'drop-view-applied'],
    lane: 'alone',
    run: async (t) => {
      if (t.options.destructiveProbes) return destructiveProbes(t)
      const replies = await harmlessReplies(t)
      const accepted = replies.find(({ ok }) => ok)
      if (!accepted) return compared(replies.length, 'write', 'refused')
      return notExercised(
        'a write that touches no row was accepted, and whether others change anything does not show from here; for a test instance of your own add --destructive-probes',
        { exchanges: [accepted.exchange] },
      )
    },
  }),
  check({
    id: 'security.writes-refused',
    requirement: 'REQ-SEC-2',
    title: 'SHOULD NOT answer a write with state success',
    killedBy: ['writes-answered-success', 'stacked-writes-answered-success'],
    run: async (t) => {
      const replies = await harmlessReplies(t)
      const accepted = replies.filter(({ ok }) => ok)
      const [first] = accepted
      if (!first) return compared(replies.length, 'write', 'refused')
      return fail({
        message: `${accepted.length} of ${replies.length} writes were answered as a success`,
        expected: 'state "error"',
        actual: describeReply(first),
        exchanges: [first.exchange],
      })
    },
  }),
]

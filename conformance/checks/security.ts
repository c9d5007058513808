import { sqlLiteral } from '../../base/text/sql-literal.ts'
import type { ViewName } from '../../schemas/index.ts'
import {
  check,
  compared,
  fail,
  inconclusive,
  notExercised,
  wrongReply,
  type Check,
  type Finding,
} from './check.ts'
import { PLAIN_STATEMENT } from '../connection/http/client.ts'
import { NotExercised, type Selection, type Target } from '../connection/target.ts'
import { harmlessWrites } from '../samples/writes.ts'

/** The views that the real writes change, one row or a few of each. */
const changedViews = {
  updated: 'v_formulas',
  deleted: 'v_bioprocess_quantity_data',
  inserted: 'v_archived_records',
} as const

/** All rows of a view with the documented columns, because a sample may miss a change. */
async function allRows(t: Target, name: ViewName): Promise<Selection> {
  const present = await t.selectable(name)
  return t.select(`SELECT ${present.join(', ')} FROM ${name}`, present)
}

/** The id of a row as a literal; empty if there is no such row. */
const id = ({ rows }: Selection, index = 0): string => sqlLiteral(String(rows[index]?.['id'] ?? ''))

/** Writes that a target must not execute. */
function realWrites(updated: Selection, deleted: Selection): string[] {
  return [
    `UPDATE ${changedViews.updated} SET name = 'changed by the conformance suite' WHERE id = ${id(updated)}`,
    `DELETE FROM ${changedViews.deleted} WHERE id = ${id(deleted)}`,
    `WITH gone AS (DELETE FROM ${changedViews.deleted} WHERE id = ${id(deleted, 1)} RETURNING id) SELECT id FROM gone`,
    `${PLAIN_STATEMENT}; DELETE FROM ${changedViews.deleted} WHERE id = ${id(deleted, 2)}`,
    `INSERT INTO ${changedViews.inserted} (record_id, table_name, archived_at)
      VALUES ('conformance-suite', 'formulas', '2026-01-01T00:00:00Z')`,
    `DROP VIEW ${changedViews.inserted}`,
  ]
}

/** Sends real writes and checks that the views do not change. */
async function destructiveProbes(t: Target): Promise<Finding> {
  const updated = await allRows(t, changedViews.updated)
  const deleted = await allRows(t, changedViews.deleted)
  const before = [updated, deleted, await allRows(t, changedViews.inserted)]
  for (const rows of before)
    if (await t.readAgain(rows))
      return inconclusive(`the rows of \`${rows.sql}\` change without writes of the suite`)

  const exchanges = []
  for (const sql of realWrites(updated, deleted))
    exchanges.push((await t.query(sql, { retries: 0 })).exchange)

  for (const rows of before) {
    const difference = await changed(t, rows)
    if (difference === undefined) continue
    return fail({
      message: `writes changed the rows of \`${rows.sql}\``,
      expected: `the same ${rows.rows.length} rows as before the writes`,
      actual: difference,
      exchanges,
    })
  }
  const count = before.reduce((sum, { rows }) => sum + rows.length, 0)
  return compared(exchanges.length, 'write', `no effect on ${count} rows of ${before.length} views`)
}

async function changed(t: Target, before: Selection): Promise<string | undefined> {
  try {
    return (await t.readAgain(before)) ? 'other rows' : undefined
  } catch (error) {
    if (error instanceof NotExercised) return error.message
    throw error
  }
}

export const securityChecks: Check[] = [
  check({
    id: 'security.read-only',
    requirement: 'REQ-SEC-1',
    title: 'NOT change data for a client',
    killedBy: [
      'writes-applied',
      'writes-applied-in-secret',
      'stacked-writes-applied',
      'write-in-with-applied',
      'drop-view-applied',
    ],
    phase: 'exclusive',
    run: async (t) => {
      if (t.options.destructiveProbes) return destructiveProbes(t)
      const replies = await harmlessWrites(t)
      const accepted = replies.find(({ ok }) => ok)
      if (!accepted) return compared(replies.length, 'write', 'refused')
      return notExercised(
        'a write that changes no row was accepted; to test real writes on your own test instance, add --destructive-probes',
        { exchanges: [accepted.exchange] },
      )
    },
  }),
  check({
    id: 'security.writes-refused',
    requirement: 'REQ-SEC-2',
    title: 'NOT answer a write with state success',
    killedBy: ['writes-answered-success', 'stacked-writes-answered-success'],
    run: async (t) => {
      const replies = await harmlessWrites(t)
      const accepted = replies.filter(({ ok }) => ok)
      const [first] = accepted
      if (!first) return compared(replies.length, 'write', 'refused')
      return wrongReply(
        first,
        `${accepted.length} of ${replies.length} writes got a success`,
        'state "error"',
      )
    },
  }),
]

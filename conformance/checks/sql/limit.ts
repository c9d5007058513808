import { contract, type ViewName } from '../../../schemas/index.ts'
import { remaining } from '../../comparisons/remaining.ts'
import { show } from '../../connection/values/json.ts'
import { unlessRefused } from '../../connection/not-exercised.ts'
import { describeReply } from '../../connection/http/reply.ts'
import { whole } from '../../samples/whole.ts'
import { pick, type Selection, type Target } from '../../connection/target.ts'
import {
  check,
  compared,
  fail,
  inconclusive,
  notExercised,
  observed,
  wrongReply,
  type Check,
  type Finding,
} from '../check.ts'
import { findConcurrentChange } from '../findings/concurrent-change.ts'

/** The first view with at least two rows that can be read whole, with its first key column. */
async function smallView(t: Target): Promise<{ name: ViewName; key: string; all: Selection } | undefined> {
  const small: ViewName[] = ['v_quantities', 'v_formulas', 'v_experiments', 'v_bioprocesses']
  for (const name of new Set([...small, ...contract.views])) {
    const key = contract.keys[name][0]!
    const all = await unlessRefused(whole(t, name, [key]))
    if (all && all.rows.length > 1) return { name, key, all }
  }
  return undefined
}

/** Checks LIMIT on a small view, at and around its number of rows. */
async function limit(t: Target): Promise<Finding> {
  const view = await smallView(t)
  if (!view) return notExercised('no view with two or more rows could be read whole')
  const { name, key, all } = view
  const size = all.rows.length
  const sizes = [...new Set([size + 10, size + 1, size, size - 1])]
  const read = (n: number) => t.select(`SELECT ${key} FROM ${name} LIMIT ${n}`, [key])
  // In parallel, the largest first: a target may mix up statements that differ in their numbers only.
  const parts = await Promise.all(sizes.map(read))
  for (const [index, part] of parts.entries()) {
    const n = sizes[index]!
    // Other members of a row are no columns, and may depend on its place in the response.
    const unknown = remaining(
      part.rows.map((row) => pick(row, [key])),
      all.rows,
    )
    const expected = Math.min(n, size)
    if (part.rows.length === expected && unknown.length === 0) continue
    const change = await findConcurrentChange(t, 'counted', all)
    if (change) return change
    const again = part.rows.length < expected ? await read(n) : part
    if (again.rows.length !== part.rows.length && again.rows.length < expected)
      return inconclusive(
        `LIMIT ${n} of ${name} returned ${part.rows.length} rows, then ${again.rows.length}`,
        {
          exchanges: [part.reply.exchange, again.reply.exchange],
        },
      )
    return fail({
      message:
        part.rows.length === expected
          ? `LIMIT ${n} of ${name} returns rows that are not in ${name}, or a row twice`
          : `LIMIT ${n} of ${name}, which has ${size} rows, returns ${part.rows.length} rows`,
      expected: `${expected} rows of ${name}`,
      actual: `${part.rows.length} rows${unknown[0] ? `, among them ${show(unknown[0])}` : ''}`,
      exchanges: [all.reply.exchange, part.reply.exchange],
    })
  }
  return compared(sizes.length, 'limit', `${sizes.toReversed().join(', ')} of the ${size} rows of ${name}`)
}

/** A target may refuse LIMIT 0, but not read it as no limit. */
async function limitZero(t: Target): Promise<Finding> {
  const { rows } = await t.sample('v_bioprocesses')
  if (rows.length < 2) return notExercised('v_bioprocesses has too few rows')
  const reply = await t.shared('SELECT id FROM v_bioprocesses LIMIT 0')
  if (!reply.ok) return observed(`LIMIT 0 got ${describeReply(reply)}`, { exchanges: [reply.exchange] })
  if (reply.data.length === 0) return compared(1, 'reply', 'LIMIT 0 returns no rows')
  return wrongReply(reply, `LIMIT 0 returns ${reply.data.length} rows`, 'data [], or an error')
}

async function limitAccepted(t: Target): Promise<Finding> {
  const plain = await t.baseline()
  // With one row, LIMIT 1 proves nothing.
  const several = plain.ok && (await t.sample('v_bioprocesses')).rows.length > 1
  if (several) return compared(1, 'statement', 'LIMIT is accepted')
  if (plain.ok) return notExercised('v_bioprocesses has fewer than two rows')
  const unlimited = await t.servedWithoutLimit()
  if (!unlimited) return notExercised('a plain statement is refused with and without LIMIT')
  const found = wrongReply(
    plain,
    'LIMIT is refused: a plain statement is served without it',
    'state "success"',
  )
  return { ...found, exchanges: [unlimited.exchange, plain.exchange] }
}

export const limitChecks: Check[] = [
  check({
    id: 'sql.limit',
    requirement: 'REQ-SQL-3',
    title: 'return n rows for LIMIT n, or all rows if there are fewer',
    killedBy: [
      'limit-plus-one',
      'limit-ignored',
      'limit-off-when-large',
      'limit-repeats-first-row',
      'limit-1-above-padded',
      'limit-10-above-padded',
    ],
    run: limit,
  }),
  check({
    id: 'sql.limit-accepted',
    requirement: 'REQ-SQL-3',
    title: 'accept LIMIT',
    killedBy: ['limit-refused'],
    run: limitAccepted,
  }),
  check({
    id: 'sql.limit-zero',
    requirement: 'REQ-SQL-3',
    title: 'return no rows for LIMIT 0, if it is accepted',
    killedBy: ['limit-zero-unlimited'],
    run: limitZero,
  }),
]

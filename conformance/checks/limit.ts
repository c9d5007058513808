import { contract, type ViewName } from '../../schemas/index.ts'
import { compared, fail, notExercised, type Finding } from './check.ts'
import { canonical, show, type JsonObject } from '../connection/json.ts'
import { unlessRefused } from './findings/refused.ts'
import { describeReply } from '../connection/reply.ts'
import type { Selection, Target } from '../connection/target.ts'
import { whereMoved } from './findings/concurrent-change.ts'
import { keyColumns } from '../comparisons/projection.ts'

/** The first view of at least two rows that is read whole, by its first key column. */
async function smallView(t: Target): Promise<{ name: ViewName; key: string; whole: Selection } | undefined> {
  const small: ViewName[] = ['v_quantities', 'v_formulas', 'v_experiments', 'v_bioprocesses']
  for (const name of new Set([...small, ...contract.views])) {
    const key = keyColumns(name)[0]!
    const whole = await unlessRefused(t.whole(name, [key]))
    if (whole && whole.rows.length > 1) return { name, key, whole }
  }
  return undefined
}

/** REQ-SQL-3 on one small view, at and around its number of rows. */
export async function limit(t: Target): Promise<Finding> {
  const view = await smallView(t)
  if (!view) return notExercised('no view with two rows or more could be read whole')
  const { name, key, whole } = view
  const size = whole.rows.length
  const sizes = [...new Set([1, size - 1, size, size + 5])]
  for (const n of sizes) {
    const part = await t.select(`SELECT ${key} FROM ${name} LIMIT ${n}`, [key])
    const strangers = without(part.rows, whole.rows)
    const expected = Math.min(n, size)
    if (part.rows.length === expected && strangers.length === 0) continue
    const moved = await whereMoved(t, 'counted', whole)
    if (moved) return moved
    return fail({
      message:
        part.rows.length === expected
          ? `LIMIT ${n} of ${name} returns rows that ${name} does not hold, or some twice`
          : `LIMIT ${n} of ${name}, which has ${size} rows, returns ${part.rows.length}`,
      expected: `${expected} of the rows of ${name}`,
      actual: `${part.rows.length} rows${strangers[0] ? `, among them ${show(strangers[0])}` : ''}`,
      exchanges: [whole.reply.exchange, part.reply.exchange],
    })
  }
  const zero = await t.query(`SELECT ${key} FROM ${name} LIMIT 0`)
  return compared(
    sizes.length,
    'limit',
    `${sizes.join(', ')} of the ${size} rows of ${name}; LIMIT 0 is answered ${describeReply(zero)}`,
  )
}

/** The rows that are left when each of `others` has taken one equal row away. */
function without(rows: readonly JsonObject[], others: readonly JsonObject[]): JsonObject[] {
  const stock = new Map<string, number>()
  for (const row of others) stock.set(canonical(row), (stock.get(canonical(row)) ?? 0) + 1)
  return rows.filter((row) => {
    const left = stock.get(canonical(row)) ?? 0
    stock.set(canonical(row), left - 1)
    return left <= 0
  })
}

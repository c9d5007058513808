import { contract } from '../../schemas/index.ts'
import { check, notExercised, type Check, type Finding } from './check.ts'
import type { Exchange } from '../connection/http/exchange.ts'
import { isObject } from '../connection/values/json.ts'
import { requireControl } from '../connection/samples/outcomes.ts'
import type { Target } from '../connection/target.ts'

const observed = (message: string, ...exchanges: Exchange[]): Finding => ({
  outcome: 'observed',
  message,
  exchanges,
})

const without = (keys: readonly string[], known: readonly string[]): string[] =>
  keys.filter((key) => !known.includes(key))

async function furtherMembers(t: Target): Promise<Finding> {
  await requireControl(t)
  const { envelope, exchange } = await t.baseline()
  const { status } = envelope!.body
  const inside = isObject(status) ? without(Object.keys(status), ['state', 'message']) : []
  const further = [
    ...without(Object.keys(envelope!.body), ['data', 'status']),
    ...inside.map((key) => `status.${key}`),
  ]
  return observed(
    further.length > 0 ? `additional members: ${further.join(', ')}` : 'no additional members',
    exchange,
  )
}

async function archivedRecords(t: Target): Promise<Finding> {
  const { rows, reply } = await t.selectAll('v_archived_records', `LIMIT ${t.rows(200)}`)
  if (rows.length === 0) return notExercised('v_archived_records has no rows')
  const there = rows.some((row) => contract.delta.column in row)
  return observed(`v_archived_records ${there ? 'has' : 'has no'} ${contract.delta.column}`, reply.exchange)
}

/** The form of an expression, with placeholders for letters and numbers: `(A*3)*B/100` -> `(L*N)*L/N`. */
const formOf = (expression: string): string =>
  expression
    .replaceAll(/\s+/g, '')
    .replaceAll(/\b[A-Z]\b/g, 'L')
    .replaceAll(/\b\d+(\.\d+)?\b/g, 'N')

async function formulaForms(t: Target): Promise<Finding> {
  const { rows, reply } = await t.sample('v_formulas')
  const expressions = rows.flatMap(({ formula }) => (typeof formula === 'string' ? [formula] : []))
  if (expressions.length === 0) return notExercised('there are no formulas')
  const seen = new Set(expressions.map(formOf))
  const forms = contract.formulaExpressions.filter((expression) => seen.has(formOf(expression)))
  const documented = new Set(contract.formulaExpressions.map(formOf))
  const others = expressions.filter((expression) => !documented.has(formOf(expression)))
  const rest = others.length > 0 ? `; ${others.length} of other forms` : ''
  return observed(
    `${expressions.length} formulas: forms like ${forms.join(', ') || 'none of the documented ones'}${rest}`,
    reply.exchange,
  )
}

/** Checks that only record facts about replies to other checks. */
export const observedChecks: Check[] = [
  check({
    id: 'http.further-members',
    requirement: 'REQ-HTTP-11',
    title: 'have additional members in the envelope',
    killedBy: [],
    run: furtherMembers,
  }),
  check({
    id: 'delta.archived-records',
    requirement: 'REQ-DELTA-3',
    title: 'offer last_updated_at in v_archived_records',
    killedBy: [],
    run: archivedRecords,
  }),
  check({
    id: 'formulas.forms',
    requirement: 'REQ-VIEW-FORMULA-FORMS',
    title: 'write formulas in the documented forms',
    killedBy: [],
    run: formulaForms,
  }),
]

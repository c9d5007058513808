import { expect, test } from 'vitest'
import { deltaMutants } from './delta.ts'
import { joinMutants } from './join.ts'
import { referenceMutants } from './references.ts'
import { sqlMutants } from './sql.ts'

const mutants = [...sqlMutants, ...joinMutants, ...deltaMutants, ...referenceMutants]

/** The statement that a mutant sends to its target. */
async function sent(id: string, statement: string): Promise<string> {
  let body = ''
  const target: typeof fetch = async (_, init) => {
    body = String(init?.body)
    return new Response('{"data":[],"status":{"state":"success","message":"ok"}}')
  }
  await mutants.find((mutant) => mutant.id === id)!.wrap(target)('http://t/', {
    method: 'POST',
    body: JSON.stringify({ statement }),
  })
  return (JSON.parse(body) as { statement: string }).statement
}

const date = "SELECT id FROM v_formulas WHERE last_updated_at > '2025-01-01' LIMIT 5"
const above =
  'SELECT id FROM v_timeseries WHERE last_updated_at > (SELECT MAX(last_updated_at) FROM v_bioprocesses)'
const join =
  'SELECT t.bioprocess_id, b.name FROM v_timeseries t LEFT JOIN v_bioprocesses b ON t.bioprocess_id = b.id'
const plain = 'SELECT id, name FROM v_formulas'

test.each([
  ['named-columns-ignored', plain, 'SELECT * FROM v_formulas'],
  ['limit-plus-one', date, date.replace('LIMIT 5', 'LIMIT 6')],
  ['limit-ignored', date, date.replace('LIMIT 5', '')],
  ['limit-off-when-large', date, date.replace('LIMIT 5', 'LIMIT 4')],
  ['join-inner', join, join.replace('LEFT', 'INNER')],
  ['join-cross', join, join.replace(/ON .*/, 'ON 1 = 1')],
  ['join-wrong-key', join, join.replace('t.bioprocess_id = b.id', 't.id = b.id')],
  ['join-unequal', join, join.replace('=', '<>')],
  ['delta-gte', date, date.replace('>', '>=')],
  ['delta-gte', above, above.replace('>', '>=')],
  ['delta-subquery-lt', above, above.replace('>', '<')],
  ['delta-literal-lt', date, date.replace('>', '<')],
  ['delta-literal-lt', date.replace("'", "DATE '"), date.replace("> '", "< DATE '")],
  ['delta-literal-ignored', date, date.replace(/last_updated_at > \S+/, '1 = 1')],
  ['delta-literal-empty', date, date.replace(/last_updated_at > \S+/, '1 = 0')],
  ['delta-subquery-min', above, above.replace('MAX', 'MIN')],
  ['delta-subquery-own-view', above, above.replace('v_bioprocesses', 'v_timeseries')],
  ['delta-subquery-ignored', above, above.replace(/last_updated_at > .*/, '1 = 1')],
  ['delta-subquery-empty', above, above.replace(/last_updated_at > .*/, '1 = 0')],
  [
    'references-dangle',
    join,
    join.replace(/v_\w+/g, (view) => `(SELECT * FROM ${view} WHERE right(id, 1) >= '8')`),
  ],
])('the mutant %s rewrites %s', async (id, statement, expected) => {
  expect(await sent(id, statement)).toBe(expected)
})

test.each([
  ['named-columns-ignored', join],
  ['delta-literal-lt', above],
  ['delta-subquery-lt', date],
  ['references-to-parents-dangle', join],
  ['limit-plus-one', plain],
])('the mutant %s does not rewrite other statements', async (id, statement) => {
  expect(await sent(id, statement)).toBe(statement)
})

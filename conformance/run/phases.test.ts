import { expect, test } from 'vitest'
import { check, inconclusive, type Finding } from '../checks/check.ts'
import { handmade } from '../probes/handmade.test-helper.ts'
import { runChecks } from './phases.ts'
import { Secrets } from '../connection/secrets.ts'
import type { Target } from '../connection/target.ts'

const moved = inconclusive('rows of v_formulas changed', { moved: true })
const passed: Finding = { outcome: 'pass', message: '2 rows: as they should be' }

/** Runs one check whose looks find this, one after the other; and tells which targets they were given. */
async function look(...findings: Finding[]) {
  const targets: Target[] = []
  const run = async (t: Target) => findings[targets.push(t) - 1]!
  const definition = { id: 'a.check', requirement: 'REQ-SQL-3', title: 'MUST', killedBy: [], run }
  const { results } = await runChecks([check(definition)], handmade({}), {
    concurrency: 1,
    probes: [],
    secrets: new Secrets(),
    disclosure: 'hashed',
  })
  return { result: results[0]!, targets }
}

test.each([
  [[passed], 'pass', '2 rows: as they should be'],
  [
    [moved, passed],
    'pass',
    '2 rows: as they should be (at a second look; at the first rows of v_formulas changed)',
  ],
  [
    [moved, moved, passed],
    'pass',
    '2 rows: as they should be (at a third look; at the first rows of v_formulas changed)',
  ],
])('where rows move a check has another look, and tells of it', async (findings, outcome, message) => {
  const { result, targets } = await look(...findings)
  expect(result).toMatchObject({ outcome, message })
  expect(targets).toHaveLength(findings.length)
  expect(new Set(targets).size).toBe(targets.length)
})

test('three looks are enough', async () => {
  const { result, targets } = await look(moved, moved, moved, passed)
  expect(result.outcome).toBe('inconclusive')
  expect(targets).toHaveLength(3)
})

test('what is inconclusive for another reason is not tried again', async () => {
  const { targets } = await look(inconclusive('no complete answer'), passed)
  expect(targets).toHaveLength(1)
})

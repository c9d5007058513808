import { expect, test } from 'vitest'
import { wholeTables } from '../../invariants/tables.test-helper.ts'
import { checks } from '../checks/index.ts'
import { handmade, rowsReply } from '../connection/handmade.test-helper.ts'
import { Secrets } from '../connection/redaction/secrets.ts'
import type { Target } from '../connection/target.ts'
import { allProbes } from '../open-points/observe.ts'
import { runChecks } from './phases.ts'

/** The others read no rows, or wait. */
const reading = checks.filter(({ id }) => !/^(auth|errors|http|replies|security|time)\./.test(id))
const options = {
  concurrency: 4,
  probes: allProbes.filter(({ after }) => after === undefined),
  secrets: new Secrets(),
  disclosure: 'hashed',
  requirementSet: 'next',
} as const

/** The errors of the suite itself. */
async function errorsOver(target: Target): Promise<string[]> {
  const { results, notObserved } = await runChecks(reading, target, options)
  const broken = results.filter(({ outcome }) => outcome === 'error')
  const reasons = Object.values(notObserved).filter((why) => /Cannot|is not|undefined|Invalid/.test(why))
  return [...broken.map(({ id, message }) => `${id}: ${message}`), ...reasons]
}

test.each([
  [null],
  [true],
  [-0.5],
  ['infinity'],
  ['0001-01-01T00:00:00Z'],
  ['9999-12-31T23:59:59.9999999Z'],
  ['-271821-04-20T00:00:00.000Z'],
  ['+294276-12-31T23:59:59.999999Z'],
  [[null]],
  [{ times_ms: 5, data: null, count: 'x', status: [] }],
  [{ times_ms: [{}], data: [null], count: 3, max: null }],
])('neither a check nor a probe breaks down over rows with %j for every value', async (value) => {
  const rows = Object.fromEntries(
    Object.entries(wholeTables()).map(([view, [correct]]) => {
      const wrong = Object.fromEntries(Object.keys(correct!).map((column) => [column, value]))
      return [view, [{ ...correct }, { ...wrong, id: 'b' }, { ...correct, id: 'c' }, wrong]]
    }),
  )
  expect(await errorsOver(handmade({ rows }))).toEqual([])
})

test.each([[[null, { id: 'a' }]], [[null, { external_id: 'b' }]], [[5, 'x']], [[[], [1]]], [[{}, {}]]])(
  'neither a check nor a probe breaks down over the rows %j',
  async (data) => {
    expect(await errorsOver(handmade({ answer: () => rowsReply(data) }))).toEqual([])
  },
)

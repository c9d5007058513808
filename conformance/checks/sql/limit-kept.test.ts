import { expect, test } from 'vitest'
import { handmade, rowsReply } from '../../connection/handmade.test-helper.ts'
import { limitKeptCheck } from './limit-kept.ts'

const two = [
  { id: 'q1', name: 'pH' },
  { id: 'q2', name: 'DO' },
]

test('sql.limit-kept proves nothing with one row in each view', async () => {
  const target = handmade({ rows: { v_quantities: two.slice(0, 1) } })
  expect(await limitKeptCheck.run(target)).toMatchObject({ outcome: 'not-exercised' })
})

test('sql.limit-kept fails if a statement of any check gets more rows than its LIMIT', async () => {
  const target = handmade({
    rows: { v_quantities: two },
    answer: ({ sql }) => (/ WHERE .* LIMIT 2$/.test(sql) ? rowsReply([...two, ...two]) : undefined),
  })
  expect(await limitKeptCheck.run(target)).toMatchObject({
    outcome: 'fail',
    expected: 'at most 2 rows',
    message: expect.stringMatching(/^`SELECT id FROM v_\w+ WHERE .* LIMIT 2` returns 4 rows$/),
  })
})

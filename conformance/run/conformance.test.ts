import { expect, test } from 'vitest'
import { validators } from '../../schemas/index.ts'
import { rowsReply } from '../connection/handmade.test-helper.ts'
import { runConformance } from './conformance.ts'

test('a run that fails internally returns a report with the finished checks and the error', async () => {
  let finished = 0
  const report = await runConformance({
    baseUrl: 'http://vendor.example',
    token: null,
    concurrency: 1,
    fetch: async () => rowsReply([{ id: 'a' }]),
    onResult: () => {
      if (++finished === 3) throw new TypeError('Invalid string length')
    },
  })
  expect(report.verdict).toBe('suite-error')
  expect(report.reasons[0]).toBe(
    'The suite failed after 3 checks, which is a bug of the suite: Invalid string length',
  )
  expect(report.checks).toHaveLength(3)
  expect(validators.report(JSON.parse(JSON.stringify(report)))).toBe(true)
})

import { expect, test } from 'vitest'
import { pageJudge } from './page-judge.ts'

const nobody = { baseUrl: 'http://127.0.0.1:1', token: 'none' }
const statusOf = (result: PromiseSettledResult<unknown>) =>
  result.status === 'rejected' ? (result.reason as { status?: number }).status : 'runs'

test('of five runs that are started at once, one runs and the others are refused', async () => {
  const judge = pageJudge(() => nobody, false)
  const runs = await Promise.allSettled(
    Array.from({ length: 5 }, () => judge.run({}, AbortSignal.timeout(30_000))),
  )
  expect(runs.map(statusOf)).toEqual(['runs', 409, 409, 409, 409])
  await (runs[0] as PromiseFulfilledResult<ReadableStream>).value.cancel()
  expect(judge.report()).toBeUndefined()
})

test('another address is judged only if that is allowed, and a wrong one does not keep the next run away', async () => {
  const other = { baseUrl: 'no address', token: 't' }
  const signal = new AbortController().signal
  await expect(pageJudge(() => nobody, false).run(other, signal)).rejects.toMatchObject({ status: 403 })
  const judge = pageJudge(() => nobody, true)
  await expect(judge.run(other, signal)).rejects.toMatchObject({ status: 400 })
  await (await judge.run({}, signal)).cancel()
})

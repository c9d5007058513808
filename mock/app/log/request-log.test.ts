import { expect, test } from 'vitest'
import { RequestLog } from './request-log.ts'

const entry = (statement: string) => ({ status: 200, state: 'success', durationMs: 1, statement }) as const

test('keeps only the latest requests', () => {
  const log = new RequestLog(3)
  for (let n = 1; n <= 5; n++) log.add(entry(`SELECT ${n}`))
  expect(log.entries().map(({ id, statement }) => [id, statement])).toEqual([
    [3, 'SELECT 3'],
    [4, 'SELECT 4'],
    [5, 'SELECT 5'],
  ])
  expect(log.entries()[0]!.at).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
})

test('requests without a statement drop only each other', () => {
  const log = new RequestLog(10)
  for (let n = 1; n <= 3; n++) log.add(entry(`SELECT ${n}`))
  for (let n = 4; n <= 50; n++) log.add({ status: 401, state: 'error', durationMs: 0 })
  expect(log.entries().map(({ id }) => id)).toEqual([1, 2, 3, 49, 50])
  for (let n = 51; n <= 58; n++) log.add(entry(`SELECT ${n}`))
  expect(log.entries().map(({ id }) => id)).toEqual([49, 50, 51, 52, 53, 54, 55, 56, 57, 58])
})

test('follows the requests after a known one until the reader leaves', async () => {
  const log = new RequestLog(3)
  for (let n = 1; n <= 3; n++) log.add(entry(`SELECT ${n}`))
  const reader = new AbortController()
  const ids: number[] = []
  for await (const { id } of log.follow(1, reader.signal)) {
    ids.push(id)
    if (id === 3) setTimeout(() => log.add(entry('SELECT 4')))
    if (id === 4) setTimeout(() => reader.abort())
  }
  expect(ids).toEqual([2, 3, 4])
})

test('sends all requests to a reader that knows an id of an earlier server', async () => {
  const log = new RequestLog()
  log.add(entry('SELECT 1'))
  const first = await log.follow(1000, new AbortController().signal).next()
  expect(first.value).toMatchObject({ id: 1 })
})

test('sends a slow reader the requests that are left after others were dropped', async () => {
  const log = new RequestLog(2)
  const following = log.follow(0, new AbortController().signal)
  log.add(entry('SELECT 1'))
  expect((await following.next()).value).toMatchObject({ id: 1 })
  for (let n = 2; n <= 9; n++) log.add(entry(`SELECT ${n}`))
  expect((await following.next()).value).toMatchObject({ id: 8 })
  expect((await following.next()).value).toMatchObject({ id: 9 })
})

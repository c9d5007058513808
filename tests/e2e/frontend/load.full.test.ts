import { setTimeout as sleep } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startServer, type Server, type ServerOptions } from '../../../mock/index.ts'
import { ask, askMany } from '../support/ask.ts'

const servers: Server[] = []
const threads: Worker[] = []
const remember = (thread: Worker) => threads.push(thread)

beforeAll(() => void process.on('worker', remember))
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
  threads.length = 0
})
afterAll(() => {
  process.off('worker', remember)
})

async function start(options: ServerOptions = {}) {
  const log: string[] = []
  const server = await startServer({ scale: 0.01, log: (line) => log.push(line), ...options })
  servers.push(server)
  return { ...server, log }
}

test('each of 1,000 concurrent clients gets its own rows or 503 with Retry-After', async () => {
  const server = await start()
  const answers = await askMany(server, 1000)
  const served = answers.filter(({ status }) => status === 200)
  for (const { n, rows } of served) expect(rows).toEqual([{ n }])
  for (const { status, retryAfter } of answers.filter(({ status }) => status !== 200))
    expect([status, retryAfter]).toEqual([503, '1'])
  expect(served.length).toBeGreaterThanOrEqual(500)
  // the log has one line for each, and the server still answers
  expect(server.log.filter((line) => /^(200 success|503 error)/.test(line))).toHaveLength(1000)
  expect(await ask(server, 'SELECT 1 AS n')).toMatchObject({ status: 200, rows: [{ n: 1 }] })
})

test('engines that are killed under load fail only the statements they run', async () => {
  const server = await start({ workers: 2 })
  const load = askMany(server, 300)
  await sleep(50)
  await Promise.all(threads.map((thread) => thread.terminate()))
  const answers = await load
  const failed = answers.filter(({ rows }) => rows.length === 0)
  expect(failed.length).toBeLessThanOrEqual(3)
  for (const { status, message } of failed)
    expect([status, message]).toEqual([200, 'Error executing statement'])
  for (const { n, rows } of answers.filter(({ rows }) => rows.length > 0)) expect(rows).toEqual([{ n }])
  expect(await ask(server, 'SELECT 1 AS n')).toMatchObject({ status: 200, rows: [{ n: 1 }] })
  expect(server.log).toContainEqual(expect.stringMatching(/^An engine ended unexpectedly and is replaced\./))
})

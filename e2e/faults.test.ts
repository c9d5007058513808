import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { type ChildProcess, spawn } from 'node:child_process'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startServer, type Server, type ServerOptions } from '../mock/index.ts'
import { builtCli, end, printed, spawnCli } from './support/cli.ts'
import { ask, askMany } from './support/ask.ts'
import { scratch } from './support/vendor.ts'

const folder = scratch()
const servers: Server[] = []
const children: ChildProcess[] = []
const threads: Worker[] = []
const remember = (thread: Worker) => threads.push(thread)

beforeAll(() => void process.on('worker', remember))
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
  for (const child of children.splice(0)) await end(child)
  threads.length = 0
})
afterAll(() => {
  process.off('worker', remember)
  folder.remove()
})

async function start(options: ServerOptions = {}) {
  const log: string[] = []
  const server = await startServer({ scale: 0.01, log: (line) => log.push(line), ...options })
  servers.push(server)
  return { ...server, log }
}

test('1,000 clients at once: each gets its own rows, or is told when to come back', async () => {
  const server = await start()
  const answers = await askMany(server, 1000)
  const served = answers.filter(({ status }) => status === 200)
  for (const { n, rows } of served) expect(rows).toEqual([{ n }])
  for (const { status, retryAfter } of answers.filter(({ status }) => status !== 200))
    expect([status, retryAfter]).toEqual([503, '1'])
  expect(served.length).toBeGreaterThanOrEqual(500)
  // one line for each, and nothing is left behind
  expect(server.log.filter((line) => /^(200 success|503 error)/.test(line))).toHaveLength(1000)
  expect(await ask(server, 'SELECT 1 AS n')).toMatchObject({ status: 200, rows: [{ n: 1 }] })
})

test('engines that are killed under load cost the statements they ran, and no other', async () => {
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

// of another seed than the snapshot that the package brings along
const serve = ['serve', '--listen', '127.0.0.1:0', '--seed', '2', '--scale', '0.01', '--token', 't']

/** A project of its own: the cache stands beside the packages of the folder one works in. */
function project(name: string) {
  const cache = join(folder.dir, name, 'node_modules/.cache/bioprocess-sql')
  mkdirSync(join(folder.dir, name, 'node_modules'), { recursive: true })
  return { dir: join(folder.dir, name), cache }
}

async function serving(child: ChildProcess) {
  children.push(child)
  let said = ''
  child.stderr!.on('data', (text) => (said += String(text)))
  const [, baseUrl] = await printed(child, /serving\s+(\S+)/)
  const { rows } = await ask({ baseUrl: baseUrl!, token: 't' }, 'SELECT id FROM v_quantities')
  return { rows: rows.length, said }
}

describe('the snapshot', () => {
  test('is built once for two processes that need it at the same time', async () => {
    const { dir, cache } = project('two')
    const both = await Promise.all([serving(spawnCli(serve, dir)), serving(spawnCli(serve, dir))])
    expect(both.map(({ rows }) => rows)).toEqual([67, 67])
    expect(both.filter(({ said }) => said.includes('Stored'))).toHaveLength(1)
    expect(both.filter(({ said }) => said.includes('Another process builds the same snapshot'))).toHaveLength(
      1,
    )
    expect(readdirSync(cache)).toEqual([expect.stringMatching(/\.snapshot$/)])
  })

  // The system itself stops the file half-way, as a full disk does: no file may grow past 4 MB.
  test.skipIf(process.platform === 'win32')(
    'that does not fit on the disk is served from memory',
    async () => {
      const { dir, cache } = project('full')
      const command = [builtCli, ...serve]
      const child = spawn('sh', ['-c', 'ulimit -f 8192 && exec "$0" "$@"', process.execPath, ...command], {
        cwd: dir,
        env: { ...process.env, NO_COLOR: '1' },
      })
      const { rows, said } = await serving(child)
      expect(rows).toBe(67)
      expect(said).toMatch(/The snapshot could not be kept in .*EFBIG.*make room there/)
      expect(readdirSync(cache)).toEqual([])
    },
  )
})

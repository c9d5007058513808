import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { once } from 'node:events'
import { afterAll, expect, test, vi } from 'vitest'
import { ask } from '../support/ask.ts'
import { end, startCliServer } from '../support/cli.ts'

const lacksHaproxy = spawnSync('haproxy', ['-v']).status !== 0
if (lacksHaproxy) console.warn('Skipping the balancer: install haproxy to test how a server leaves it.')

const folder = mkdtempSync(join(tmpdir(), 'bioprocess-sql-balancer-'))
const ending: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const stop of ending) await stop()
  rmSync(folder, { recursive: true, force: true })
})

const requests = 2000

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Starts HAProxy with the lines of docs/operators.md. */
async function balance(baseUrls: readonly string[]): Promise<string> {
  const port = await freePort()
  const servers = baseUrls.map((url, n) => `  server s${n} ${new URL(url).host}`)
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(
    file,
    `defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
frontend in
  bind 127.0.0.1:${port}
  default_backend plant
backend plant
  option httpchk GET /_mock/ready
  option redispatch
  default-server check inter 1s fall 2 rise 1
${servers.join('\n')}
`,
  )
  const child: ChildProcess = spawn('haproxy', ['-db', '-f', file], { stdio: 'inherit' })
  ending.push(() => end(child))
  return `http://127.0.0.1:${port}`
}

test.skipIf(lacksHaproxy)(
  'a server that drains leaves a balancer without a lost statement',
  async () => {
    const options = ['--scale', '0.01', '--token', 't', '--drain', '10s']
    const servers = [await startCliServer(options), await startCliServer(options)]
    ending.push(...servers.map(({ stop }) => stop))
    const target = { baseUrl: await balance(servers.map(({ baseUrl }) => baseUrl)), token: 't' }
    await vi.waitFor(async () => expect((await ask(target, 'SELECT 1 AS n')).status).toBe(200), {
      timeout: 30_000,
    })
    const { child } = servers[0]!
    const gone = once(child, 'exit')
    const lost: unknown[] = []
    let sent = 0
    const client = async () => {
      // goes on until the server has left
      while (sent < requests || child.exitCode === null) {
        const n = ++sent
        if (n === requests / 4) child.kill('SIGTERM')
        const answer = await ask(target, `SELECT ${n} AS n`).catch((error: unknown) => error)
        if ((answer as { rows?: { n: number }[] }).rows?.[0]?.n !== n) lost.push(answer)
      }
    }
    await Promise.all(Array.from({ length: 8 }, client))
    expect(await gone).toEqual([0, null])
    expect(sent).toBeGreaterThanOrEqual(requests)
    expect(lost).toEqual([])
  },
  300_000,
)

import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test, vi } from 'vitest'
import { ask } from '../support/ask.ts'
import { startCliServer } from '../support/cli.ts'
import { haproxyConfig, lacksHaproxy, startHaproxy } from '../support/haproxy.ts'
import { freePort } from '../support/postgres/programs.ts'

const ending: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const stop of ending) await stop()
})

const requests = 500

/** Starts HAProxy as docs/operators.md shows it. */
async function balance(baseUrls: readonly string[]): Promise<string> {
  const address = `127.0.0.1:${await freePort()}`
  const [one, two] = baseUrls.map((url) => new URL(url).host) as [string, string]
  const config = haproxyConfig('operators.md', {
    ':80': address,
    '10.0.0.1:4010': one,
    '10.0.0.2:4010': two,
  })
  ending.push(startHaproxy(config))
  return `http://${address}`
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
        // leaves the servers time for the checks of HAProxy, also on a busy machine
        await sleep(50)
        if ((answer as { rows?: { n: number }[] }).rows?.[0]?.n !== n) lost.push(answer)
      }
    }
    await Promise.all(Array.from({ length: 4 }, client))
    expect(await gone).toEqual([0, null])
    expect(sent).toBeGreaterThanOrEqual(requests)
    expect(lost).toEqual([])
  },
  300_000,
)

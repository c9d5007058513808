import { Agent } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Benchmark } from '../benchmark.ts'
import { ask, type Reply, type Target } from '../harness/client.ts'
import { repository } from '../harness/folders.ts'
import { smallStatement } from '../harness/load.ts'
import { median, quantile, short } from '../harness/numbers.ts'
import { ours, type ServerSpec, withServer } from '../harness/servers.ts'

const bigStatement = 'SELECT * FROM v_timeseries_data LIMIT 500000'
const small = { warmUp: 300, runs: 2000 }
const bigRuns = 5

/** The built proxy, which judges. */
const proxyTo = (port: number): ServerSpec => ({
  name: 'proxy',
  args: (own) => [
    join(repository, 'dist', 'cli', 'main.js'),
    'proxy',
    `--target=http://127.0.0.1:${port}`,
    `--listen=127.0.0.1:${own}`,
    '--judge',
  ],
})

/** Statements through the judging proxy and past it, in turn, so that both have the same machine. */
export const proxy: Benchmark = {
  name: 'proxy',
  title: 'The judging proxy beside the direct way, scale 1',
  run: () =>
    withServer(ours('--scale', '1', '--time-limit', '30s'), (server) =>
      withServer(proxyTo(server.port), async (between) => {
        await sleep(4000) // until the spare engine has started
        const times = await inTurn([server, between], small.warmUp + small.runs, smallStatement, 'kept')
        const [direct, proxied] = times.map((replies) => replies.slice(small.warmUp).map(({ ms }) => ms))
        const big = await inTurn([server, between], bigRuns, () => bigStatement, 'new')
        const [directRate, proxiedRate] = big.map((replies) =>
          replies.map(({ bytes, ms }) => bytes / 1000 / ms),
        )
        return {
          measures: [
            { what: 'added at the median', value: median(proxied!) - median(direct!), unit: 'ms', must: 1 },
            {
              what: '500,000 rows, of the direct rate',
              value: (100 * median(proxiedRate!)) / median(directRate!),
              unit: '%',
              must: 80,
              more: true,
            },
          ],
          evidence: [
            ['direct', direct!, directRate!] as const,
            ['proxied', proxied!, proxiedRate!] as const,
          ].map(([way, ms, rates]) => ({
            way,
            'median, ms': short(median(ms)),
            'p99, ms': short(quantile(ms, 0.99)),
            'MB/s': rates.map(short).join(', '),
          })),
        }
      }),
    ),
}

/** Sends the same statements to both targets in turn. @param connections whether a target keeps its connection */
async function inTurn(
  targets: readonly Target[],
  count: number,
  statement: (n: number) => string,
  connections: 'kept' | 'new',
): Promise<Reply[][]> {
  const agents = targets.map(() => new Agent({ keepAlive: true, maxSockets: 1 }))
  const replies: Reply[][] = targets.map(() => [])
  try {
    for (let n = 0; n < count; n++)
      for (const at of n % 2 === 0 ? [0, 1] : [1, 0]) {
        const options = connections === 'kept' ? { agent: agents[at]! } : {}
        const reply = await ask(targets[at]!, statement(n), options)
        if (reply.status !== 200) throw new Error(`A statement got status ${reply.status}.`)
        replies[at]!.push(reply)
      }
  } finally {
    for (const agent of agents) agent.destroy()
  }
  return replies
}

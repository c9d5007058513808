import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Benchmark } from '../benchmark.ts'
import { ask } from '../harness/client.ts'
import { median, quantile, short } from '../harness/numbers.ts'
import { residentMb } from '../harness/process.ts'
import { ours, withServer } from '../harness/servers.ts'

/** Sleeping statements of one token, the connections that send them, and for how long another token asks meanwhile. */
const [asleepCount, connections, seconds] = [10_000, 500, 60]
/** Pause between two small statements of the other token, in milliseconds. */
const everyMs = 500

/** Small statements of one token while another one sends sleeping statements. */
export const sleepers: Benchmark = {
  name: 'sleepers',
  title: `Small statements while another token sends ${asleepCount} sleeping ones over ${connections} connections`,
  run: () =>
    withServer({ ...ours('--token=modest'), cores: 'all' }, async (server) => {
      const modest = { ...server, token: 'modest' }
      const agent = new Agent({ keepAlive: true, maxSockets: connections })
      for (let n = 0; n < asleepCount; n++)
        ask(server, `SELECT pg_sleep(${30 + (n % 7)})`, { agent }).catch(() => {})
      const answers: Promise<{ status: number; ms: number }>[] = []
      const ready: Promise<number>[] = []
      let peakMb = 0
      for (let n = 0; n < (seconds * 1000) / everyMs; n++) {
        answers.push(ask(modest, `SELECT count(*) FROM v_formulas WHERE id <> '${n}'`))
        ready.push(readyMs(server.port))
        peakMb = Math.max(peakMb, residentMb(server.pid))
        await sleep(everyMs)
      }
      const small = await Promise.all(answers)
      const waits = small.map(({ ms }) => ms)
      const readyAfter = await Promise.all(ready)
      agent.destroy()
      await sleep(60_000)
      return {
        measures: [
          {
            what: 'small statements without an answer',
            value: small.filter(({ status }) => status !== 200).length,
            unit: 'statements',
            must: 0,
          },
          {
            what: 'longest wait of a small statement',
            value: Math.max(...waits) / server.startedInMs,
            unit: 'x start of the server',
            must: 2,
          },
          { what: 'peak of memory', value: peakMb, unit: 'MB', must: 700 },
        ],
        evidence: [
          {
            'p50, ms': short(median(waits)),
            'p99, ms': short(quantile(waits, 0.99)),
            'worst, ms': short(Math.max(...waits)),
            'worst of /_mock/ready, ms': short(Math.max(...readyAfter)),
            'memory a minute later, MB': short(residentMb(server.pid)),
          },
        ],
      }
    }),
}

async function readyMs(port: number): Promise<number> {
  const from = performance.now()
  await (await fetch(`http://127.0.0.1:${port}/_mock/ready`)).text()
  return performance.now() - from
}

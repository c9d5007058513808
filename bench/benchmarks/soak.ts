import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Benchmark } from '../benchmark.ts'
import { ask } from '../harness/client.ts'
import { short } from '../harness/numbers.ts'
import { cpuMs, residentMb } from '../harness/process.ts'
import { ours, type Running, withServer } from '../harness/servers.ts'
import { mixedTenth } from './soak-statements.ts'

const connections = 2
/** Milliseconds after each tenth, to include the replacement of its engines in its CPU time. */
const settleMs = 1500
/** Milliseconds until extra engines have ended, before memory is read. */
const retireMs = 11_000

/** Ten thousand mixed statements; each tenth has the same mix. */
export const soak: Benchmark = {
  name: 'soak',
  title: 'Soak: 10k mixed statements, including hostile ones',
  run: () =>
    withServer(ours('--time-limit', '10s'), async (server) => {
      const tenths: { statements: number; us: number; mb: number }[] = []
      for (let tenth = 0; tenth < 10; tenth++) {
        const before = cpuMs(server.pid)
        const statements = await send(server, tenth)
        await sleep(settleMs)
        const us = ((cpuMs(server.pid) - before) * 1000) / statements
        if (tenth % 2 === 1) await sleep(retireMs)
        tenths.push({ statements, us, mb: residentMb(server.pid) })
      }
      const [second, last] = [tenths[1]!, tenths[9]!]
      return {
        measures: [
          {
            what: 'CPU per statement, last tenth',
            value: last.us / second.us,
            unit: 'x second tenth',
            must: 1.25,
            stretch: 1.1,
          },
          {
            what: 'RSS growth from the second tenth to the last',
            value: last.mb - second.mb,
            unit: 'MB',
            must: 64,
            stretch: 32,
          },
        ],
        evidence: tenths.map(({ statements, us, mb }, index) => ({
          tenth: index + 1,
          statements,
          'CPU per statement, us': short(us),
          'RSS, MB': short(mb),
        })),
        notes: [
          `RSS is read ${retireMs / 1000} s after every second tenth and immediately after the others.`,
        ],
      }
    }),
}

/** Sends one tenth and returns its number of statements. @throws Error for an unexpected status */
async function send(server: Running, tenth: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const statements = mixedTenth(tenth)
  const queue = statements.values()
  const connection = async () => {
    for (const { statement, rawBody, statuses } of queue) {
      const { status } = await ask(server, statement, { agent, ...(rawBody !== undefined && { rawBody }) })
      if (!statuses.includes(status))
        throw new Error(`"${(rawBody ?? statement).slice(0, 60)}" got status ${status}.`)
    }
  }
  try {
    await Promise.all(Array.from({ length: connections }, connection))
  } finally {
    agent.destroy()
  }
  return statements.length
}

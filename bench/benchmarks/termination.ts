import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Benchmark } from '../benchmark.ts'
import { ask } from '../harness/client.ts'
import { smallStatement } from '../harness/load.ts'
import { median, short } from '../harness/numbers.ts'
import { ours, withServer } from '../harness/servers.ts'

const rounds = 6

/** With the first limit, a second engine starts while the statement runs; with the other one, none has started. */
const limits = { 'a slow statement': 1000, 'a statement that was not slow yet': 80 } as const

/** How long no engine answers after a statement exceeded the time limit. */
export const termination: Benchmark = {
  name: 'termination',
  title: 'Recovery after a terminated engine',
  async run() {
    const found: { kind: string; next: number[]; undisturbed: number }[] = []
    for (const [kind, limitMs] of Object.entries(limits)) found.push({ kind, ...(await recovery(limitMs)) })
    return {
      measures: found.flatMap(({ kind, next, undisturbed }) => [
        {
          what: `engine back after ending ${kind}`,
          value: median(next),
          unit: 'ms',
          must: 350,
          stretch: 250,
        },
        { what: 'small statement, undisturbed', value: undisturbed, unit: 'ms' },
      ]),
      evidence: found.flatMap(({ kind, next }) =>
        next.map((ms, round) => ({ ended: kind, round: round + 1, 'next small statement, ms': short(ms) })),
      ),
    }
  },
}

/** The time of the first small statement after each termination. */
const recovery = (limitMs: number) =>
  withServer(ours('--time-limit', `${limitMs}ms`), async (server) => {
    const agent = new Agent({ keepAlive: true })
    const small = async (n: number) => (await ask(server, smallStatement(n), { agent })).ms
    const undisturbed: number[] = []
    for (let n = 0; n < 200; n++) undisturbed.push(await small(n))
    const next: number[] = []
    for (let round = 0; round < rounds; round++) {
      await sleep(500)
      const { status } = await ask(server, 'SELECT pg_sleep(60)', { agent })
      if (status !== 504) throw new Error(`The endless statement got status ${status}.`)
      next.push(await small(round))
    }
    agent.destroy()
    return { next, undisturbed: median(undisturbed) }
  })

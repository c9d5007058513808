import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Benchmark } from '../benchmark.ts'
import { ask, type Target } from '../harness/client.ts'
import { smallStatement } from '../harness/load.ts'
import { median, short } from '../harness/numbers.ts'
import { ours, withServer } from '../harness/servers.ts'

/** Short enough that the server does not start another engine in advance; only the termination starts one. */
const limitMs = 80
const rounds = 6
/** Duration of a probe statement. Two probes take this long with two engines, twice as long with one. */
const probeMs = 20
/** Pause between probes: a sleeping statement keeps the processor busy and would delay the new engine. */
const pauseMs = 40

/** How long an engine is missing after a statement exceeded the time limit, and the latency meanwhile. */
export const termination: Benchmark = {
  name: 'termination',
  title: 'Recovery after a terminated engine',
  run: () =>
    withServer(ours('--time-limit', `${limitMs}ms`), async (server) => {
      const agent = new Agent({ keepAlive: true })
      const small = async (n: number) => (await ask(server, smallStatement(n), { agent })).ms
      await untilTwoServe(server)
      const undisturbed: number[] = []
      for (let n = 0; n < 200; n++) undisturbed.push(await small(n))
      const found: { next: number; back: number }[] = []
      for (let round = 0; round < rounds; round++) {
        await sleep(500)
        const { status } = await ask(server, 'SELECT pg_sleep(60)', { agent })
        if (status !== 504) throw new Error(`The endless statement got status ${status}.`)
        const next = await small(round)
        found.push({ next, back: next + (await untilTwoServe(server)) })
      }
      agent.destroy()
      return {
        measures: [
          {
            what: 'engine back after a termination',
            value: median(found.map(({ back }) => back)),
            unit: 'ms',
            must: 500,
            stretch: 250,
          },
          {
            what: 'next small statement, served by the spare',
            value: median(found.map(({ next }) => next)),
            unit: 'ms',
          },
          { what: 'small statement, undisturbed', value: median(undisturbed), unit: 'ms' },
        ],
        evidence: found.map(({ next, back }, round) => ({
          round: round + 1,
          'next small statement, ms': short(next),
          'two engines again after, ms': short(back),
        })),
        notes: [`Two engines serve if two statements that sleep ${probeMs} ms run in parallel.`],
      }
    }),
}

/** Milliseconds until two statements run in parallel. */
async function untilTwoServe(server: Target): Promise<number> {
  const from = performance.now()
  for (;;) {
    const sent = performance.now()
    const probes = [0, 1].map(() => ask(server, `SELECT pg_sleep(${probeMs / 1000})`))
    const replies = await Promise.all(probes)
    const bothSlept = replies.every(({ status }) => status === 200)
    if (bothSlept && performance.now() - sent < probeMs * 1.9) return sent - from
    await sleep(pauseMs)
    if (performance.now() - from > 20_000) throw new Error('The second engine did not come back within 20 s.')
  }
}

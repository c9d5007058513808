import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Benchmark } from '../benchmark.ts'
import { ask, type Target } from '../harness/client.ts'
import { smallStatement } from '../harness/load.ts'
import { median, short } from '../harness/numbers.ts'
import { ours, withServer } from '../harness/servers.ts'

/** Shorter than what makes the server start a further engine ahead: the replacement is started by the termination. */
const limitMs = 80
const rounds = 6
/** Two of these take one napMs when two engines serve and two when a single one does. */
const napMs = 20
/** Sleeping statements keep the processor busy: without a pause the probes would hold up what they wait for. */
const pauseMs = 40

/** An engine whose statement ran into the limit is ended. How long is one missing, and does anybody notice? */
export const termination: Benchmark = {
  name: 'termination',
  title: 'After an engine was ended',
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
        if (status !== 504) throw new Error(`The endless statement was answered with ${status}.`)
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
          { what: 'a small statement undisturbed', value: median(undisturbed), unit: 'ms' },
        ],
        evidence: found.map(({ next, back }, round) => ({
          round: round + 1,
          'next small statement, ms': short(next),
          'two engines serve again after, ms': short(back),
        })),
        notes: [
          `Seen from outside: two engines serve when two statements that sleep ${napMs} ms end side by side.`,
        ],
      }
    }),
}

/** Milliseconds until two statements run side by side. */
async function untilTwoServe(server: Target): Promise<number> {
  const from = performance.now()
  for (;;) {
    const asked = performance.now()
    const naps = [0, 1].map(() => ask(server, `SELECT pg_sleep(${napMs / 1000})`))
    const replies = await Promise.all(naps)
    const bothSlept = replies.every(({ status }) => status === 200)
    if (bothSlept && performance.now() - asked < napMs * 1.9) return asked - from
    await sleep(pauseMs)
    if (performance.now() - from > 20_000) throw new Error('The second engine did not come back within 20 s.')
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { Benchmark } from '../benchmark.ts'
import { ask } from '../harness/client.ts'
import { steadyLoad } from '../harness/load.ts'
import { median, quantile, short } from '../harness/numbers.ts'
import { ours, withServer } from '../harness/servers.ts'

const [perSecond, seconds, rounds, asleepCount] = [200, 5, 3, 3]
/** Until the engines that take the sleepers' place have started. */
const fallAsleepMs = 3000

/** Small statements beside three that sleep, and beside none. */
export const sleepers: Benchmark = {
  name: 'sleepers',
  title: 'Small statements beside three that sleep',
  run: () =>
    withServer(ours('--time-limit', '30s'), async (server) => {
      const load = () => steadyLoad(server, perSecond, seconds)
      await load()
      const found: { alone: number[]; falling: number[]; beside: number[] }[] = []
      for (let round = 0; round < rounds; round++) {
        const alone = await load()
        const asleep = Array.from({ length: asleepCount }, () =>
          ask(server, `SELECT pg_sleep(${fallAsleepMs / 1000 + seconds + 1})`),
        )
        const falling = await steadyLoad(server, perSecond, fallAsleepMs / 1000)
        found.push({ alone, falling, beside: await load() })
        const statuses = (await Promise.all(asleep)).map(({ status }) => status)
        if (statuses.some((status) => status !== 200)) throw new Error(`The sleepers got ${statuses}.`)
        await sleep(500)
      }
      const p99 = (which: 'alone' | 'falling' | 'beside') =>
        median(found.map((round) => quantile(round[which], 0.99)))
      return {
        measures: [
          {
            what: `p99 of small statements at ${perSecond}/s beside ${asleepCount} asleep`,
            value: p99('beside') / p99('alone'),
            unit: 'x undisturbed',
            must: 3,
            stretch: 1.5,
          },
          {
            what: `the same in the first ${fallAsleepMs / 1000} s, while engines start in their place`,
            value: p99('falling') / p99('alone'),
            unit: 'x undisturbed',
          },
        ],
        evidence: found.flatMap((round, index) =>
          (['alone', 'falling', 'beside'] as const).map((which) => ({
            round: index + 1,
            small: { alone: 'undisturbed', falling: 'as they fall asleep', beside: 'beside them' }[which],
            'p50, ms': short(median(round[which])),
            'p99, ms': short(quantile(round[which], 0.99)),
            'worst, ms': short(Math.max(...round[which])),
          })),
        ),
        notes: [
          'Latency counts from the moment a statement was due. The ratio is one of medians of the rounds.',
        ],
      }
    }),
}

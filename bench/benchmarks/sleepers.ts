import { setTimeout as sleep } from 'node:timers/promises'
import type { Benchmark } from '../benchmark.ts'
import { ask } from '../harness/client.ts'
import { steadyLoad } from '../harness/load.ts'
import { median, quantile, short } from '../harness/numbers.ts'
import { ours, withServer } from '../harness/servers.ts'

const [perSecond, seconds, rounds, asleepCount] = [200, 5, 3, 3]
/** Milliseconds until engines have replaced the sleeping ones. */
const replaceMs = 3000

/** The latency of small statements with and without three sleeping statements. */
export const sleepers: Benchmark = {
  name: 'sleepers',
  title: 'Small statements during three sleeping ones',
  run: () =>
    withServer(ours('--time-limit', '30s'), async (server) => {
      const load = () => steadyLoad(server, perSecond, seconds)
      await load()
      const found: { undisturbed: number[]; falling: number[]; during: number[] }[] = []
      for (let round = 0; round < rounds; round++) {
        const undisturbed = await load()
        const asleep = Array.from({ length: asleepCount }, () =>
          ask(server, `SELECT pg_sleep(${replaceMs / 1000 + seconds + 1})`),
        )
        const falling = await steadyLoad(server, perSecond, replaceMs / 1000)
        found.push({ undisturbed, falling, during: await load() })
        const statuses = (await Promise.all(asleep)).map(({ status }) => status)
        if (statuses.some((status) => status !== 200))
          throw new Error(`The sleeping statements got the statuses ${statuses}.`)
        await sleep(500)
      }
      const p99 = (which: 'undisturbed' | 'falling' | 'during') =>
        median(found.map((round) => quantile(round[which], 0.99)))
      return {
        measures: [
          {
            what: `p99 of small statements at ${perSecond}/s during ${asleepCount} sleeping ones`,
            value: p99('during') / p99('undisturbed'),
            unit: 'x undisturbed',
            must: 3,
            stretch: 1.5,
          },
          {
            what: `p99 in the first ${replaceMs / 1000} s, while other engines start`,
            value: p99('falling') / p99('undisturbed'),
            unit: 'x undisturbed',
          },
        ],
        evidence: found.flatMap((round, index) =>
          (['undisturbed', 'falling', 'during'] as const).map((which) => ({
            round: index + 1,
            phase: { undisturbed: 'undisturbed', falling: 'other engines start', during: 'during sleep' }[
              which
            ],
            'p50, ms': short(median(round[which])),
            'p99, ms': short(quantile(round[which], 0.99)),
            'worst, ms': short(Math.max(...round[which])),
          })),
        ),
        notes: [
          'Latency counts from the scheduled time of a statement. Ratios compare medians of the rounds.',
        ],
      }
    }),
}

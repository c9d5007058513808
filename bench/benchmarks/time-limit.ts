import type { Benchmark } from '../benchmark.ts'
import { ask } from '../harness/client.ts'
import { short } from '../harness/numbers.ts'
import { ours, withServer } from '../harness/servers.ts'

const limitMs = 1000

/** One statement that sleeps and two that use the processor. */
const endless = [
  'SELECT pg_sleep(60)',
  'SELECT count(*) FROM generate_series(1, 1000000) a, generate_series(1, 1000000) b',
  'WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n',
]

/** The delay of the 504 after the time limit. */
export const timeLimit: Benchmark = {
  name: 'time-limit',
  title: '504 after the time limit',
  run: () =>
    withServer(ours('--time-limit', `${limitMs}ms`), async (server) => {
      const evidence = []
      let latest = Number.NEGATIVE_INFINITY
      for (const statement of [...endless, ...endless]) {
        const { status, ms } = await ask(server, statement)
        if (status !== 504) throw new Error(`"${statement}" got status ${status}.`)
        latest = Math.max(latest, ms - limitMs)
        evidence.push({
          statement: `${statement.slice(0, 40)}...`,
          'after the limit, ms': short(ms - limitMs),
        })
      }
      return {
        measures: [{ what: '504, after the limit', value: latest, unit: 'ms', must: 500, stretch: 100 }],
        evidence,
        notes: [`The limit is ${limitMs} ms. The value is the longest delay.`],
      }
    }),
}

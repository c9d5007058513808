import { createHash } from 'node:crypto'
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Benchmark } from '../benchmark.ts'
import { ask } from '../harness/client.ts'
import { median, quantile, short } from '../harness/numbers.ts'
import { forgetPeak, peakResidentMb, residentMb } from '../harness/process.ts'
import { ours, type Running, withServer } from '../harness/servers.ts'

const [seconds, goodConnections, hostileConnections, restSeconds] = [90, 40, 24, 12]
const tokens = Array.from({ length: 8 }, (_, n) => `bench-${n}`)

const goodStatements = [
  'SELECT * FROM v_experiments ORDER BY id LIMIT 10',
  "SELECT id, name, status FROM v_bioprocesses WHERE last_updated_at > '2025-01-01' ORDER BY id",
  'SELECT t.id, b.name FROM v_timeseries t LEFT JOIN v_bioprocesses b ON t.bioprocess_id = b.id ORDER BY t.id LIMIT 20',
  'SELECT count(*) AS count FROM v_quantities',
  'SELECT id, value FROM v_timeseries_data ORDER BY id, start_at LIMIT 100',
]

/** Statements that keep an engine busy, fill its memory, overflow its stack or never end. */
const hostileStatements = [
  'SELECT pg_sleep(60)',
  'SELECT count(*) FROM v_timeseries_data a, v_timeseries_data b',
  'SELECT jsonb_agg(d) FROM v_timeseries_data d',
  "SELECT repeat('x', 20000000)",
  'SELECT sum(i) FROM generate_series(1, 1000000000) i',
  'SELECT * FROM v_timeseries_data',
  `SELECT ${'('.repeat(3000)}1${')'.repeat(3000)}`,
  "SELECT length(repeat('x', 200000000))",
  'SELECT a.id FROM v_timeseries_data a, v_quantities b ORDER BY a.value, b.name LIMIT 5',
]

/** Good statements beside hostile ones that share their tokens. */
export const hostileLoad: Benchmark = {
  name: 'hostile-load',
  title: `${goodConnections} good and ${hostileConnections} hostile connections of ${tokens.length} tokens, ${seconds} s`,
  run: () =>
    withServer(ours('--time-limit', '5s', ...tokens.map((token) => `--token=${token}`)), async (server) => {
      const expected = await Promise.all(
        goodStatements.map(async (sql) => {
          const reply = await answer(server, sql)
          if (reply.status !== 200) throw new Error(`"${sql}" got status ${reply.status}.`)
          return hashOf(reply)
        }),
      )
      await sleep(1000)
      const before = residentMb(server.pid)
      forgetPeak(server.pid)
      const end = performance.now() + seconds * 1000
      const latencies: number[] = []
      const counts = { right: 0, wrong: 0, refused: 0, hostile: 0 }
      const wrong: string[] = []
      const good = async (index: number) => {
        const agent = new Agent({ keepAlive: true, maxSockets: 1 })
        for (let n = index; performance.now() < end; n++) {
          const which = n % goodStatements.length
          const reply = await answer(server, goodStatements[which]!, index, agent)
          latencies.push(reply.ms)
          if (reply.status !== 200) counts.refused++
          else if (hashOf(reply) === expected[which]) counts.right++
          else {
            counts.wrong++
            wrong.push(`${goodStatements[which]!} got ${reply.body.subarray(0, 500)}`)
          }
        }
        agent.destroy()
      }
      const hostile = async (index: number) => {
        for (let n = index; performance.now() < end; n++) {
          counts.hostile++
          // a hostile statement may be refused, or lose its connection
          await ask(
            { ...server, token: tokens[index % tokens.length]! },
            `${hostileStatements[n % hostileStatements.length]!} -- ${n}`,
          ).catch(() => {})
        }
      }
      const memory: number[] = []
      const watch = setInterval(() => memory.push(residentMb(server.pid)), 1000)
      await Promise.all([
        ...Array.from({ length: goodConnections }, (_, index) => good(index)),
        ...Array.from({ length: hostileConnections }, (_, index) => hostile(index)),
      ])
      clearInterval(watch)
      const peak = peakResidentMb(server.pid)
      await sleep(restSeconds * 1000)
      const after = residentMb(server.pid)
      return {
        measures: [
          { what: 'Good statements with a wrong answer', value: counts.wrong, unit: '', must: 0 },
          {
            what: 'Good statements refused',
            value: (100 * counts.refused) / latencies.length,
            unit: '%',
            must: 5,
          },
          { what: 'p99 of good statements', value: quantile(latencies, 0.99), unit: 'ms', must: 2000 },
          { what: 'Peak memory', value: peak, unit: 'MB', must: 1000 },
          {
            what: `Memory ${restSeconds} s later`,
            value: after / before,
            unit: 'x start',
            must: 1.2,
          },
        ],
        evidence: [
          {
            ...counts,
            'p50, ms': short(median(latencies)),
            'RSS before, MB': short(before),
            'RSS after, MB': short(after),
          },
        ],
        notes: [
          `RSS each 10 s, MB: ${memory
            .filter((_, n) => n % 10 === 0)
            .map(short)
            .join(', ')}`,
          ...wrong.slice(0, 3),
        ],
      }
    }),
}

const answer = (server: Running, statement: string, index = 0, agent?: Agent) =>
  ask({ ...server, token: tokens[index % tokens.length]! }, statement, {
    keepBody: true,
    ...(agent && { agent }),
  })

const hashOf = ({ body }: { body: Buffer }): string => createHash('sha256').update(body).digest('hex')

import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Benchmark } from '../benchmark.ts'
import { ask } from '../harness/client.ts'
import { median, quantile, short } from '../harness/numbers.ts'
import { forgetPeak, peakResidentMb, residentMb } from '../harness/process.ts'
import { ours, type Running, withServer } from '../harness/servers.ts'

const [usualSeconds, goodConnections, hostileConnections, restSeconds] = [90, 40, 24, 12]
const tokens = Array.from({ length: 8 }, (_, n) => `bench-${n}`)
const hostileToken = 'hostile'
const options = ['--time-limit', '5s', ...[...tokens, hostileToken].map((token) => `--token=${token}`)]

const goodStatements = [
  'SELECT * FROM v_experiments ORDER BY id LIMIT 10',
  "SELECT id, name, status FROM v_bioprocesses WHERE last_updated_at > '2025-01-01' ORDER BY id",
  'SELECT t.id, b.name FROM v_timeseries t LEFT JOIN v_bioprocesses b ON t.bioprocess_id = b.id ORDER BY t.id LIMIT 20',
  'SELECT count(*) AS count FROM v_quantities',
  'SELECT id, value FROM v_timeseries_data ORDER BY id, timestamp LIMIT 100',
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

/** Good statements beside hostile ones of another token. Each good answer is compared with the first one, which had no others beside it. */
export const hostileLoad: Benchmark = {
  name: 'hostile-load',
  title: `${goodConnections} good connections of ${tokens.length} tokens beside ${hostileConnections} hostile ones of another`,
  run: ({ minutes = usualSeconds / 60 } = {}) =>
    withServer(ours(...options), async (server) => {
      const expected: Buffer[] = []
      for (const sql of goodStatements) expected.push(await firstAnswer(server, sql))
      await sleep(1000)
      const before = residentMb(server.pid)
      forgetPeak(server.pid)
      const end = performance.now() + minutes * 60_000
      const latencies: number[] = []
      const counts = { right: 0, wrong: 0, refused: 0, lost: 0, hostile: 0 }
      const wrong: string[] = []
      const good = async (index: number) => {
        const agent = new Agent({ keepAlive: true, maxSockets: 1 })
        for (let n = index; performance.now() < end; n++) {
          const which = n % goodStatements.length
          const reply = await answer(server, goodStatements[which]!, index, agent).catch(() => undefined)
          if (reply === undefined) {
            // a server that gets no processor for seconds ends an idle connection at the moment of the next request
            counts.lost++
            continue
          }
          latencies.push(reply.ms)
          if (reply.status !== 200) counts.refused++
          else if (reply.body.equals(expected[which]!)) counts.right++
          else {
            counts.wrong++
            wrong.push(`${goodStatements[which]!} got ${difference(reply.body, expected[which]!)}`)
            console.log(`${new Date().toISOString()} wrong: ${wrong.at(-1)}`)
          }
        }
        agent.destroy()
      }
      const hostile = async (index: number) => {
        for (let n = index; performance.now() < end; n++) {
          counts.hostile++
          // a hostile statement may be refused, or lose its connection
          await ask(
            { ...server, token: hostileToken },
            `${hostileStatements[n % hostileStatements.length]!} -- ${n}`,
          ).catch(() => {})
        }
      }
      const memory: number[] = []
      const watch = setInterval(() => {
        memory.push(residentMb(server.pid))
        if (memory.length % 60 === 0)
          console.log(`minute ${memory.length / 60}: ${JSON.stringify(counts)}, ${short(memory.at(-1)!)} MB`)
      }, 1000)
      await Promise.all([
        ...Array.from({ length: goodConnections }, (_, index) => good(index)),
        ...Array.from({ length: hostileConnections }, (_, index) => hostile(index)),
      ]).finally(() => clearInterval(watch))
      const peak = peakResidentMb(server.pid)
      await sleep(restSeconds * 1000)
      const after = residentMb(server.pid)
      return {
        measures: [
          { what: 'Good statements with a wrong answer', value: counts.wrong, unit: '', must: 0 },
          {
            what: 'Good statements refused or lost',
            value: (100 * (counts.refused + counts.lost)) / (latencies.length + counts.lost),
            unit: '%',
            must: 5,
          },
          { what: 'p99 of good statements', value: quantile(latencies, 0.99), unit: 'ms', must: 2000 },
          { what: 'Peak memory', value: peak, unit: 'MB', must: 900 },
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
            minutes: short(minutes),
            'p50, ms': short(median(latencies)),
            'RSS before, MB': short(before),
            'RSS after, MB': short(after),
          },
        ],
        notes: [
          `RSS in equal intervals, MB: ${memory
            .filter((_, n) => n % Math.ceil(memory.length / 10) === 0)
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

/** The answer to a statement without others beside it. @throws Error unless it has rows */
async function firstAnswer(server: Running, statement: string): Promise<Buffer> {
  const { body, status } = await answer(server, statement)
  const rows = status === 200 ? (JSON.parse(body.toString()) as { data?: unknown[] }).data : []
  if (!rows?.length)
    throw new Error(`"${statement}" has no rows: ${body.subarray(0, 200)}. Correct it in goodStatements.`)
  return body
}

/** The first place in which two texts differ. */
function difference(found: Buffer, expected: Buffer): string {
  const at = found.findIndex((byte, index) => byte !== expected[index])
  const [start, end] = at < 0 ? [found.length, found.length + 200] : [Math.max(at - 100, 0), at + 200]
  return `${found.length} bytes, at ${start} ${found.subarray(start, end)} in place of ${expected.subarray(start, end)}`
}

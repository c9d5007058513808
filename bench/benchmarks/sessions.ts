import { setTimeout as sleep } from 'node:timers/promises'
import type { Benchmark } from '../benchmark.ts'
import { ask, type Target } from '../harness/client.ts'
import { closedLoad, kinds } from '../harness/load.ts'
import { median, short } from '../harness/numbers.ts'
import { cpuMs } from '../harness/process.ts'
import { ours, type Running, withServer } from '../harness/servers.ts'

const sessions = 32
const rounds = 5
const rows = 1000
const load = { requests: 4000, connections: 10, withinMs: 4000 }
const { 'quoted literal': statement } = kinds

/** The cost of sessions with rows of their own. */
export const sessionCosts: Benchmark = {
  name: 'sessions',
  title: 'Sessions with rows of their own',
  run: () =>
    withServer(ours(), async (server) => {
      const control = controlOf(server)
      const puts: number[] = []
      const resets: number[] = []
      for (let round = 0; round <= rounds; round++) {
        const id = `put-${round}`
        const started = performance.now()
        await control('PUT', id, 'rows', series())
        const { body } = await ask(
          { ...server, session: id },
          "SELECT count(*) AS n FROM v_timeseries_data WHERE id = 'series'",
          { keepBody: true },
        )
        // the first round loads the schemas
        if (round > 0) puts.push(performance.now() - started)
        if (!String(body).includes(`"n":${rows}`))
          throw new Error(`A session does not have its rows: ${String(body)}`)
        const again = performance.now()
        await control('PUT', `new-${round}`, `sessions/new-${round}`, {})
        await control('POST', `new-${round}`, `sessions/new-${round}/reset`, {})
        resets.push(performance.now() - again)
      }
      for (let n = 0; n < sessions; n++)
        await control('PUT', `own-${n}`, 'rows', { v_experiments: [{ id: `own-${n}` }] })
      let next = 0
      const within: Target = {
        ...server,
        get session() {
          return `own-${next++ % sessions}`
        },
      }
      const found = { without: [] as number[], within: [] as number[] }
      for (let round = 0; round < 3; round++)
        for (const [name, target] of Object.entries({ without: server, within })) {
          await sleep(200)
          const us = await cpuOf(server, target, round * 20_000)
          // the first round warms up
          if (round > 0) found[name as keyof typeof found].push(us)
        }
      const cost = { without: Math.min(...found.without), within: Math.min(...found.within) }
      return {
        measures: [
          { what: `${rows} points put and read`, value: median(puts), unit: 'ms', must: 100 },
          { what: 'a session begun and reset', value: median(resets), unit: 'ms', must: 20 },
          {
            what: `CPU per request, ${sessions} sessions with rows in turn`,
            value: cost.within / cost.without,
            unit: 'x without sessions',
            must: 1.25,
          },
        ],
        evidence: Object.entries(cost).map(([name, us]) => ({
          sessions: name,
          'CPU per request, us': short(us),
        })),
      }
    }),
}

/** CPU time of a request in microseconds. */
async function cpuOf({ pid }: Running, target: Target, from: number): Promise<number> {
  const before = cpuMs(pid)
  const { requests } = await closedLoad(target, { ...load, from, statement })
  return ((cpuMs(pid) - before) * 1000) / requests
}

const controlOf = (server: Running) => async (method: string, id: string, path: string, body: object) => {
  const response = await fetch(`http://127.0.0.1:${server.port}/_mock/${path}`, {
    method,
    headers: { 'content-type': 'application/json', 'x-mock-session': id },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(await response.text())
}

const series = () => ({
  v_bioprocesses: [{ id: 'run' }],
  v_timeseries: [{ id: 'series', bioprocess_id: 'run', quantity_id: { name: 'OD600' } }],
  v_timeseries_data: Array.from({ length: rows }, (_, second) => ({
    id: 'series',
    timestamp: new Date(Date.UTC(2025, 11, 1) + second * 1000).toISOString(),
    value: second,
  })),
})

import type { Benchmark } from '../benchmark.ts'
import { closedLoad, kinds } from '../harness/load.ts'
import { median, short } from '../harness/numbers.ts'
import { naive, peers, prism } from '../harness/peers.ts'
import { cpuMs } from '../harness/process.ts'
import { ours, withServer } from '../harness/servers.ts'

const rounds = 2
const warmUp = { requests: 2500, connections: 10, withinMs: 3000, from: 1 }
const measured = { requests: 4000, connections: 10, withinMs: 4000, from: 10_001 }

type Kind = keyof typeof kinds
const all = Object.keys(kinds) as Kind[]
/** Servers that repeat a recorded answer spend the same time on each kind. */
const kindsOf = (name: string): readonly Kind[] =>
  name === 'ours' || name === naive ? all : ['quoted literal']

/** CPU time of distinct small statements. Two servers execute them; the others repeat a recorded answer. */
export const cpu: Benchmark = {
  name: 'cpu',
  title: 'CPU per request, distinct statements',
  async run() {
    const servers = [ours(), ...(await peers())]
    const found = new Map<string, { us: number[]; rate: number[] }>()
    for (let round = 0; round < rounds; round++)
      for (const spec of servers)
        await withServer(spec, async (server) => {
          for (const kind of kindsOf(spec.name)) {
            const statement = kinds[kind]
            await closedLoad(server, { ...warmUp, statement })
            const before = cpuMs(server.pid)
            const { requests, ms } = await closedLoad(server, { ...measured, statement })
            const key = `${spec.name}, ${kind}`
            if (!found.has(key)) found.set(key, { us: [], rate: [] })
            found.get(key)!.us.push(((cpuMs(server.pid) - before) * 1000) / requests)
            found.get(key)!.rate.push((requests * 1000) / ms)
          }
        })
    const cost = (name: string, kind: Kind = 'quoted literal') =>
      Math.min(...found.get(`${name}, ${kind}`)!.us)
    return {
      measures: all.flatMap((kind) => [
        {
          what: `CPU per request, ${kind}`,
          value: cost('ours', kind) / cost(prism),
          unit: 'x Prism',
          ...(kind === 'quoted literal' ? { must: 1, stretch: 0.6 } : { must: 1.25 }),
        },
        {
          what: `CPU per request, ${kind}`,
          value: cost('ours', kind) / cost(naive, kind),
          unit: 'x naive PGlite',
          must: 1,
        },
      ]),
      evidence: servers.flatMap(({ name }) =>
        kindsOf(name).map((kind) => ({
          server: name,
          statement: kind,
          'CPU per request, us': short(cost(name, kind)),
          'requests per second': short(median(found.get(`${name}, ${kind}`)!.rate)),
          'of Prism': short(cost(name, kind) / cost(prism)),
        })),
      ),
      notes: [
        `${measured.connections} connections. The load generator limits the rate, but not the CPU time.`,
      ],
    }
  },
}

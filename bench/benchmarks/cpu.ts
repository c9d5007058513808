import type { Benchmark } from '../benchmark.ts'
import { closedLoad } from '../harness/load.ts'
import { median, short } from '../harness/numbers.ts'
import { peers, prism } from '../harness/peers.ts'
import { cpuMs } from '../harness/process.ts'
import { ours, withServer } from '../harness/servers.ts'

const rounds = 2
const warmUp = { requests: 2500, connections: 10, withinMs: 3000, from: 1 }
const measured = { requests: 4000, connections: 10, withinMs: 4000, from: 10_001 }

/** CPU time of distinct small statements. Our server executes them; the others repeat a recorded answer. */
export const cpu: Benchmark = {
  name: 'cpu',
  title: 'CPU per request, distinct statements',
  async run() {
    const servers = [ours(), ...(await peers())]
    const found = new Map(servers.map(({ name }) => [name, { us: [] as number[], rate: [] as number[] }]))
    for (let round = 0; round < rounds; round++)
      for (const spec of servers)
        await withServer(spec, async (server) => {
          await closedLoad(server, warmUp)
          const before = cpuMs(server.pid)
          const { requests, ms } = await closedLoad(server, measured)
          found.get(spec.name)!.us.push(((cpuMs(server.pid) - before) * 1000) / requests)
          found.get(spec.name)!.rate.push((requests * 1000) / ms)
        })
    const cost = (name: string) => Math.min(...found.get(name)!.us)
    return {
      measures: [
        {
          what: 'CPU per request, distinct statements',
          value: cost('ours') / cost(prism),
          unit: 'x Prism',
          must: 1.25,
          stretch: 0.6,
        },
      ],
      evidence: servers.map(({ name }) => ({
        server: name,
        'CPU per request, us': short(cost(name)),
        'requests per second': short(median(found.get(name)!.rate)),
        'of Prism': short(cost(name) / cost(prism)),
      })),
      notes: [
        `${measured.connections} connections. The load generator limits the rate, but not the CPU time.`,
      ],
    }
  },
}

import type { Benchmark } from '../benchmark.ts'
import { closedLoad, kinds } from '../harness/load.ts'
import { short } from '../harness/numbers.ts'
import { naive, peer } from '../harness/peers.ts'
import { cpuMs } from '../harness/process.ts'
import { ours, type Running, withServer } from '../harness/servers.ts'

const turns = 4
const connections = 10
const warmUp = { requests: 10_000, connections, withinMs: 60_000, from: 1 }
const measured = { requests: 4000, connections, withinMs: 20_000 }

type Kind = keyof typeof kinds
const all = Object.keys(kinds) as Kind[]

/** Processor time of distinct small statements, beside a page of code that executes them too. Both are warm, and take turns. */
export const cpu: Benchmark = {
  name: 'cpu',
  title: 'CPU per request, distinct statements',
  run: async () =>
    withServer(ours(), async (server) => withServer(await peer(naive), (other) => compare(server, other))),
}

async function compare(server: Running, other: Running): ReturnType<Benchmark['run']> {
  let from = measured.requests
  const cost = async (of: Running, kind: Kind): Promise<number> => {
    const before = cpuMs(of.pid)
    const requests = await closedLoad(of, {
      ...measured,
      from: (from += measured.requests),
      statement: kinds[kind],
    })
    return ((cpuMs(of.pid) - before) * 1000) / requests
  }
  for (const statement of Object.values(kinds))
    for (const one of [server, other]) await closedLoad(one, { ...warmUp, statement })
  const costs = new Map(all.map((kind) => [kind, { ours: Infinity, naive: Infinity }]))
  for (let turn = 0; turn < turns; turn++)
    for (const [kind, best] of costs) {
      best.ours = Math.min(best.ours, await cost(server, kind))
      best.naive = Math.min(best.naive, await cost(other, kind))
    }
  return {
    measures: [...costs].map(([kind, best]) => ({
      what: `CPU per request, ${kind}`,
      value: best.ours / best.naive,
      unit: 'x naive PGlite',
      must: 1.2,
    })),
    evidence: [...costs].map(([kind, best]) => ({
      statement: kind,
      'CPU per request, us': short(best.ours),
      'naive PGlite, us': short(best.naive),
    })),
    notes: [
      `${connections} connections, the smallest of ${turns} turns after ${warmUp.requests} requests of each kind.`,
    ],
  }
}

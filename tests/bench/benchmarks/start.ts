import type { Benchmark, Measure } from '../benchmark.ts'
import { median, short } from '../harness/numbers.ts'
import { peer, peers, prism } from '../harness/peers.ts'
import { cpuMs } from '../harness/process.ts'
import { ours, type ServerSpec, withServer } from '../harness/servers.ts'

const rounds = 3

interface Starts {
  readonly server: string
  readonly cores: 'one' | 'all'
  readonly ms: number[]
  readonly cpu: number[]
}

/** The time from a new process to its first rows, with warm disk caches. */
export const start: Benchmark = {
  name: 'start',
  title: 'Start to the first answer, warm cache',
  async run() {
    const onAll: ServerSpec[] = [ours(), await peer(prism)].map((spec) => ({ ...spec, cores: 'all' }))
    const found = await startAll([ours(), ...(await peers()), ...onAll])
    const comparedWithPrism = (cores: Starts['cores']): Measure => {
      const wall = (name: string) =>
        median(found.find((starts) => starts.server === name && starts.cores === cores)!.ms)
      return {
        what: `start to the first SQL answer, ${cores === 'one' ? 'one core' : 'all cores'}`,
        value: wall('ours') / wall(prism),
        unit: 'x Prism',
        must: 0.5,
        stretch: 0.4,
      }
    }
    return {
      measures: [comparedWithPrism('all'), comparedWithPrism('one')],
      evidence: found.map(({ server, cores, ms, cpu }) => ({
        server,
        cores,
        'start, ms': short(median(ms)),
        'min to max': `${short(Math.min(...ms))} to ${short(Math.max(...ms))}`,
        'CPU until then, ms': short(median(cpu)),
      })),
    }
  },
}

/** Interleaves the servers, so that other load affects all of them. A first round warms the page cache. */
async function startAll(specs: readonly ServerSpec[]): Promise<Starts[]> {
  const found = specs.map(({ name, cores = 'one' }): Starts => ({ server: name, cores, ms: [], cpu: [] }))
  for (let round = 0; round <= rounds; round++)
    for (const [index, spec] of specs.entries())
      await withServer(spec, async ({ startedInMs, pid }) => {
        if (round === 0) return
        found[index]!.ms.push(startedInMs)
        found[index]!.cpu.push(cpuMs(pid))
      })
  return found
}

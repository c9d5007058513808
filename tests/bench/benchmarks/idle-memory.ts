import { setTimeout as sleep } from 'node:timers/promises'
import type { Benchmark } from '../benchmark.ts'
import { short } from '../harness/numbers.ts'
import { peers } from '../harness/peers.ts'
import { residentMb } from '../harness/process.ts'
import { ours, withServer } from '../harness/servers.ts'

/** Milliseconds until everything that starts after the first answer has ended. */
const settleMs = 4000

/** Resident memory of an idle server. */
export const idleMemory: Benchmark = {
  name: 'idle-memory',
  title: 'Resident memory, idle',
  async run() {
    const servers = [ours(), ...(await peers())]
    const idle = new Map<string, number>()
    for (const spec of servers)
      await withServer(spec, async ({ pid }) => {
        await sleep(spec.name === 'ours' ? settleMs : settleMs / 4)
        idle.set(spec.name, residentMb(pid))
      })
    return {
      measures: [
        {
          what: 'RSS idle',
          value: idle.get('ours')!,
          unit: 'MB',
          must: 200,
        },
      ],
      evidence: [...idle].map(([server, mb]) => ({ server, 'RSS idle, MB': short(mb) })),
    }
  },
}

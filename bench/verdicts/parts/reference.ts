import { runConformance } from '../../../conformance/index.ts'
import { judge, startReference } from '../../../proof/support/self-proof.ts'
import { startServer } from '../../../mock/index.ts'
import type { ConformanceReport } from '../../../schemas/index.ts'
import type { Part } from './part.ts'

const [seed, scale] = [1, 0.01]

const judged: Readonly<Record<string, () => Promise<ConformanceReport>>> = {
  default: async () => {
    const server = await startServer({ scale, workers: 2 })
    return runConformance({ baseUrl: server.baseUrl, token: server.token }).finally(() => server.close())
  },
  'next set, destructive': async () => {
    const reference = await startReference({ scale: 0.01 })
    return judge(reference, [], undefined, { destructiveProbes: true, fuzz: 200 }).finally(reference.close)
  },
  seeded: async () => {
    const reference = await startReference({ scale: 0.01 })
    const seeded = { reference: { ...reference, seed, scale }, fuzz: 200 }
    return judge(reference, ['seeded.*'], undefined, { seeded }).finally(reference.close)
  },
}

/** The reference server: as by default, and with the options that add checks. */
export const reference: Part = {
  name: 'reference',
  seconds: 30,
  ids: Object.keys(judged),
  varies: () => true,
  start: async () => ({ judge: (id) => judged[id]!(), close: async () => {} }),
}

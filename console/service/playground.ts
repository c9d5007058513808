import { createApp } from '../../mock/app/app.ts'
import { delivered } from '../../mock/app/answer/truncated-body.ts'
import { packedPlant } from '../../mock/browser/packed-plant.ts'
import { createPageEngine } from '../../mock/browser/page-engine.ts'
import type { Fetch } from './service.ts'

/**
 * Starts the reference server in the page.
 *
 * @returns its fetch, with `/_mock/*`
 * @throws Error that names the remedy if the page may not start workers or WebAssembly
 */
export async function playgroundFetch(): Promise<Fetch> {
  const engine = await createPageEngine({ ...packedPlant, timeLimitMs: 30_000 })
  const app = createApp({
    engine: () => engine,
    plant: { now: () => undefined, asOf: packedPlant.asOf },
    admin: { hosts: ['playground.invalid'] },
    page: { files: async () => undefined, plant: packedPlant },
  })
  return async (url, init) => delivered(await app.fetch(new Request(url, init)))
}

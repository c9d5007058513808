import { Faults } from '../../mock/app/faults/faults.ts'
import { packedPlant } from '../../mock/browser/packed-plant.ts'
import { createPageReference } from '../../mock/browser/page-engine.ts'
import type { Fetch } from './service.ts'

/**
 * Starts the reference server in the page.
 *
 * @returns its fetch, with `/_mock/*`
 * @throws Error that names the remedy if the page may not start workers or WebAssembly
 */
export async function playgroundFetch(): Promise<Fetch> {
  const reference = await createPageReference({
    ...packedPlant,
    variants: {},
    tokens: 'any',
    basePath: '',
    faults: new Faults(),
    timeLimitMs: 30_000,
    admin: { hosts: ['playground.invalid'] },
  })
  return (url, init) => reference.answer(new Request(url, init))
}

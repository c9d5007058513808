import { Faults } from '../../mock/app/faults/faults.ts'
import { createPageReference } from '../../mock/browser/page-reference.ts'
import type { Fetch } from './service.ts'

/**
 * Starts the reference server in the page.
 *
 * @returns its fetch, with `/_mock/*`
 * @throws Error that names the remedy if the page may not start workers or WebAssembly
 */
export async function playgroundFetch(): Promise<Fetch> {
  const reference = await createPageReference({
    seed: 1,
    scale: 0.01,
    variants: {},
    tokens: 'any',
    basePath: '',
    faults: new Faults(),
    timeLimitMs: 30_000,
    admin: { hosts: ['playground.invalid'] },
  })
  return (url, init) => reference.answer(new Request(url, init))
}

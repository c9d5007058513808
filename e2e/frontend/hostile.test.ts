import { afterAll, beforeAll, test } from 'vitest'
import { corpus } from '../../mock/hostile/corpus.test-helper.ts'
import { type Besieged, besiege } from './hostile.test-helper.ts'

/** A spread over all kinds; hostile.full.test.ts sends the whole corpus. */
const spread = corpus.filter((_, index) => index % 14 === 6)

let server: Besieged
beforeAll(async () => {
  server = await besiege()
})
afterAll(() => server?.close())

test.each(spread.map((entry) => [entry.id, entry] as const))('withstands %s', async (_, entry) => {
  await server.withstand(entry)
})

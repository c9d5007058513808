import { afterAll, beforeAll, test } from 'vitest'
import { corpus } from '../support/hostile/corpus.ts'
import { noteSample } from '../support/tiers.ts'
import { type AttackedServer, startAttackedServer } from './hostile.test-helper.ts'

/** Some attacks of all kinds; hostile.full.test.ts sends the whole corpus. */
const spread = corpus.filter((_, index) => index % 28 === 6)
noteSample({ of: 'attacks over HTTP', ran: spread.length, exist: corpus.length })

let server: AttackedServer
beforeAll(async () => {
  server = await startAttackedServer()
})
afterAll(() => server?.close())

test.each(spread.map((entry) => [entry.id, entry] as const))('the server withstands %s', async (_, entry) => {
  await server.expectWithstands(entry)
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { corpus } from '../../mock/hostile/corpus.test-helper.ts'
import { oneIn } from '../support/one-in.ts'
import { type AttackedServer, startAttackedServer } from './hostile.test-helper.ts'

let server: AttackedServer
beforeAll(async () => {
  server = await startAttackedServer()
})
afterAll(() => server?.close())

test('the corpus of attacks is large, and its entries have unique ids and a reason', () => {
  expect(corpus.length).toBeGreaterThan(150)
  expect(new Set(corpus.map(({ id }) => id)).size).toBe(corpus.length)
  expect(corpus.filter(({ why }) => why.length < 10)).toEqual([])
})

test.each(oneIn(3, 'attacks over HTTP', corpus).map((entry) => [entry.id, entry] as const))(
  'the server withstands %s',
  async (_, entry) => {
    await server.expectWithstands(entry)
  },
)

test('the server releases the memory that attacks took', () => {
  const memory = server.memory()
  if (memory === undefined) return
  console.log(`resident: ${Math.round(memory.now)} MB, at the peak ${Math.round(memory.peak)} MB`)
  expect(memory.now).toBeLessThan(1500)
})

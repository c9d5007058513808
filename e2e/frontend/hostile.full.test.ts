import { afterAll, beforeAll, expect, test } from 'vitest'
import { corpus } from '../../mock/hostile/corpus.test-helper.ts'
import { type Besieged, besiege } from './hostile.test-helper.ts'

let server: Besieged
beforeAll(async () => {
  server = await besiege()
})
afterAll(() => server?.close())

test('the corpus is large, its ids are unique and every entry says why', () => {
  expect(corpus.length).toBeGreaterThan(150)
  expect(new Set(corpus.map(({ id }) => id)).size).toBe(corpus.length)
  expect(corpus.filter(({ why }) => why.length < 10)).toEqual([])
})

test.each(corpus.map((entry) => [entry.id, entry] as const))('%s', async (_, entry) => {
  await server.withstand(entry)
})

test('memory that statements grew is given back', () => {
  const memory = server.memory()
  if (memory === undefined) return
  console.log(`resident: ${Math.round(memory.now)} MB, at the peak ${Math.round(memory.peak)} MB`)
  expect(memory.now).toBeLessThan(1500)
})

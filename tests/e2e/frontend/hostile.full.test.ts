import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { corpus, type Hostile } from '../support/hostile/corpus.ts'
import { type AttackedServer, startAttackedServer } from './hostile.test-helper.ts'

let server: AttackedServer
beforeAll(async () => {
  server = await startAttackedServer(undefined, '2s')
})
afterAll(() => server?.close())

test('the corpus of attacks is large, and its entries have unique ids and a reason', () => {
  expect(corpus.length).toBeGreaterThan(150)
  expect(new Set(corpus.map(({ id }) => id)).size).toBe(corpus.length)
  expect(corpus.filter(({ why }) => why.length < 10)).toEqual([])
})

const topicOf = ({ id }: Hostile): string => id.split('-', 1)[0]!
const topics = [...new Set(corpus.map(topicOf))]

describe.each(topics)('the server withstands %s attacks', (topic) => {
  const attacks = corpus.filter((attack) => topicOf(attack) === topic)
  test.each(attacks.map((attack) => [attack.id, attack] as const))('%s', async (_, attack) => {
    await server.expectWithstands(attack)
  })

  test('and serves the rows as before', () => server.expectUnchanged())
})

test('the server releases the memory that attacks took', () => {
  const memory = server.memory()
  if (memory === undefined) return
  console.log(`resident: ${Math.round(memory.now)} MB, at the peak ${Math.round(memory.peak)} MB`)
  expect(memory.now).toBeLessThan(1500)
})

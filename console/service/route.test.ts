import { afterAll, beforeEach, expect, test, vi } from 'vitest'

const place = { hash: '' }
const events = new EventTarget()
vi.stubGlobal('location', place)
vi.stubGlobal('history', {
  replaceState: (_state: unknown, _title: string, hash: string) => (place.hash = hash),
})
vi.stubGlobal('addEventListener', events.addEventListener.bind(events))
const { note, route } = await import('./route.ts')
afterAll(() => vi.unstubAllGlobals())

const arrive = () => events.dispatchEvent(new Event('hashchange'))
beforeEach(() => {
  place.hash = '#ask'
  arrive()
})

test('a tab notes its state in the address', () => {
  note('ask', { sql: 'SELECT 1' })
  expect([place.hash, route.value.params]).toEqual(['#ask?sql=SELECT+1', { sql: 'SELECT 1' }])
  note('ask', { sql: '' })
  expect(place.hash).toBe('#ask')
})

test.each(['#plot', '#ask?sql=SELECT+2'])('a late note leaves the new address %s', (address) => {
  place.hash = address
  note('ask', { sql: 'SELECT 1' })
  expect(place.hash).toBe(address)
  arrive()
  if (address === '#plot') note('ask', { sql: 'SELECT 1' })
  expect(place.hash).toBe(address)
})

import { afterAll, beforeEach, expect, test, vi } from 'vitest'

const place = { hash: '' }
const events = new EventTarget()
vi.stubGlobal('location', place)
const entries: string[] = []
vi.stubGlobal('history', {
  replaceState: (_state: unknown, _title: string, hash: string) => (place.hash = hash),
  pushState: (_state: unknown, _title: string, hash: string) => entries.push((place.hash = hash)),
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

test('another entry goes into the history, once', () => {
  note('ask', { sql: 'SELECT 1' }, 'another')
  note('ask', { sql: 'SELECT 1' }, 'another')
  note('ask', { sql: 'SELECT 12' })
  expect(entries).toEqual(['#ask?sql=SELECT+1'])
  expect([place.hash, route.value.params]).toEqual(['#ask?sql=SELECT+12', { sql: 'SELECT 12' }])
})

test.each(['#plot', '#ask?sql=SELECT+2'])('a late note leaves the new address %s', (address) => {
  place.hash = address
  note('ask', { sql: 'SELECT 1' })
  expect(place.hash).toBe(address)
  arrive()
  if (address === '#plot') note('ask', { sql: 'SELECT 1' })
  expect(place.hash).toBe(address)
})

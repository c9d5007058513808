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
vi.useFakeTimers()
const { hashOfTab, note, route } = await import('./route.ts')
afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const arrive = () => events.dispatchEvent(new Event('hashchange'))
beforeEach(() => {
  vi.advanceTimersByTime(1000)
  place.hash = '#ask'
  arrive()
})

test('a tab notes its state in the address', () => {
  note('ask', { sql: 'SELECT 1' })
  vi.runAllTimers()
  expect([place.hash, route.value.params]).toEqual(['#ask?sql=SELECT+1', { sql: 'SELECT 1' }])
  note('ask', { sql: '' })
  vi.runAllTimers()
  expect(place.hash).toBe('#ask')
})

test('another entry goes into the history, once', () => {
  note('ask', { sql: 'SELECT 1' }, 'another')
  note('ask', { sql: 'SELECT 1' }, 'another')
  note('ask', { sql: 'SELECT 12' })
  vi.runAllTimers()
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

const write = (...texts: string[]) => texts.forEach((sql) => note('ask', { sql }))

test('the address follows fast changes in steps, the route at once', () => {
  write('S')
  vi.runAllTimers()
  write('SE', 'SEL')
  vi.advanceTimersByTime(200)
  const now = { tab: 'ask', params: { sql: 'SEL' }, isNoted: true }
  expect([place.hash, route.value]).toEqual(['#ask?sql=S', now])
  vi.advanceTimersByTime(100)
  expect(place.hash).toBe('#ask?sql=SEL')
})

test('a new entry in the history, or a click, leaves the one before complete', () => {
  write('SELECT 1')
  note('ask', { sql: 'SELECT 2' }, 'another')
  expect(entries.at(-1)).toBe('#ask?sql=SELECT+2')
  write('SELECT 23')
  events.dispatchEvent(new Event('click'))
  expect(place.hash).toBe('#ask?sql=SELECT+23')
})

test('what was not written yet does not come over another address', () => {
  write('S', 'SE')
  place.hash = '#plot'
  arrive()
  vi.runAllTimers()
  expect([place.hash, route.value.isNoted]).toEqual(['#plot', false])
})

test('the link of a tab leads to where it was left', () => {
  note('ask', { sql: 'SELECT 1', sort: 'id' })
  place.hash = '#plot?runs=a'
  arrive()
  expect([hashOfTab('ask'), hashOfTab('plot')]).toEqual(['#ask?sql=SELECT+1&sort=id', '#plot?runs=a'])
})

import { afterAll, expect, test, vi } from 'vitest'

const stored = new Map<string, string>()
const key = 'bioprocess-sql.statements'
vi.stubGlobal('localStorage', {
  getItem: (name: string) => stored.get(name) ?? null,
  setItem: (name: string, value: string) => {
    if (value.length > 100_000) throw new DOMException('full', 'QuotaExceededError')
    stored.set(name, value)
  },
})
afterAll(() => vi.unstubAllGlobals())
stored.set(key, '[{"statement":"SELECT 0","at":1,"outcome":"1 row"},{"statement":7},null]')
const { forget, past, remember } = await import('./past.ts')
const statements = () => past.value.map(({ statement }) => statement)

test('what was stored is read, but for what is no statement', () => {
  expect(statements()).toEqual(['SELECT 0'])
})

test('the latest run stands first and once, and the oldest ones go', () => {
  remember('SELECT 1', '1 row')
  remember('SELECT 0', '2 rows')
  expect(past.value.map(({ statement, outcome }) => [statement, outcome])).toEqual([
    ['SELECT 0', '2 rows'],
    ['SELECT 1', '1 row'],
  ])
  for (let number = 2; number < 80; number++) remember(`SELECT ${number}`, 'no rows')
  expect(statements()).toHaveLength(50)
  expect(statements()).not.toContain('SELECT 0')
  expect(JSON.parse(stored.get(key)!)).toEqual(past.value)
  forget()
  expect(past.value).toEqual([])
})

test('a statement that is too long is not kept, and a full storage is no error', () => {
  remember('x'.repeat(20_001), 'no rows')
  expect(past.value).toEqual([])
  for (let number = 0; number < 9; number++) remember(`${number}${'x'.repeat(19_000)}`, 'no rows')
  expect(past.value).toHaveLength(9)
  expect(JSON.parse(stored.get(key)!).length).toBeLessThan(9)
})

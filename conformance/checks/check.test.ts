import { expect, test } from 'vitest'
import { seededChecks } from '../seeded/checks.ts'
import { check } from './check.ts'
import { checks } from './index.ts'

const seeded = seededChecks({
  reference: { baseUrl: 'http://localhost', token: null, fetch, seed: 1, scale: 1 },
  fuzz: 1,
  concurrency: 1,
  timeoutMs: 1,
  signal: new AbortController().signal,
})

const run = async () => ({ outcome: 'pass', message: '' }) as const

test.each([
  ['REQ-SQL-3', 'MUST return rows'],
  ['REQ-SEC-2', 'SHOULD return rows'],
  ['REQ-SQL-11', 'MAY return rows'],
])('the title of a check of %s starts with the level of the requirement', (requirement, title) => {
  expect(check({ id: 'a.check', requirement, title: 'return rows', killedBy: [], run }).title).toBe(title)
})

test('the title of every check has exactly one level', () => {
  const wrong = [...checks, ...seeded].filter(
    ({ title }) =>
      !/^(MUST|SHOULD|MAY) (NOT )?[a-z]/.test(title) || title.match(/\b(MUST|SHOULD|MAY)\b/g)!.length > 1,
  )
  expect(wrong.map(({ id, title }) => `${id}: ${title}`)).toEqual([])
})

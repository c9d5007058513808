import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { requirements } from '../../schemas/index.ts'
import { checks } from '../../conformance/checks/index.ts'
import { coverage, reasonFor } from './coverage.ts'

const has = (id: string) => checks.some(({ requirement }) => requirement === id)

test('COVERAGE.md is up to date with `npm run generate -- --only coverage`', () => {
  expect(readFileSync(new URL('./COVERAGE.md', import.meta.url), 'utf8')).toBe(coverage())
})

test('every MUST and SHOULD requirement for servers has a check', () => {
  const uncovered = requirements.filter(({ id }) => !has(id))
  expect(
    uncovered.filter(({ side, level }) => side === 'server' && level !== 'observe').map(({ id }) => id),
  ).toEqual([])
})

test('exactly the requirements without a check have a reason', () => {
  const unexplained = requirements.filter((entry) => !has(entry.id) && reasonFor(entry) === undefined)
  const needless = requirements.filter((entry) => has(entry.id) && reasonFor(entry) !== undefined)
  expect([...unexplained, ...needless].map(({ id }) => id)).toEqual([])
})

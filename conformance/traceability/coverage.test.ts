import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { requirements } from '../../schemas/index.ts'
import { checks } from '../checks/index.ts'
import { coverage, reasonFor } from './coverage.ts'

const has = (id: string) => checks.some(({ requirement }) => requirement === id)

test('COVERAGE.md is what `npm run generate -- --only coverage` writes', () => {
  expect(readFileSync(new URL('../COVERAGE.md', import.meta.url), 'utf8')).toBe(coverage())
})

test('every requirement that a server must or should meet has a check', () => {
  const holes = requirements.filter(({ id }) => !has(id))
  expect(
    holes.filter(({ side, level }) => side === 'server' && level !== 'observe').map(({ id }) => id),
  ).toEqual([])
})

test('a requirement has a reason for having no check only if it has none', () => {
  const unexplained = requirements.filter((entry) => !has(entry.id) && reasonFor(entry) === undefined)
  const needless = requirements.filter((entry) => has(entry.id) && reasonFor(entry) !== undefined)
  expect([...unexplained, ...needless].map(({ id }) => id)).toEqual([])
})

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { requirements, undocumented } from '../../schemas/index.ts'
import { checks } from '../checks/index.ts'
import { coverage, reasonFor } from './coverage.ts'
import { controls } from '../mutants/controls.ts'

const has = (id: string) => checks.some(({ requirement }) => requirement === id)

test('COVERAGE.md is what `npm run generate -- --only coverage` writes', () => {
  expect(readFileSync(new URL('../COVERAGE.md', import.meta.url), 'utf8')).toBe(coverage())
})

test('what a server must or should do has a check', () => {
  const holes = requirements.filter(({ id }) => !has(id))
  expect(
    holes.filter(({ side, level }) => side === 'server' && level !== 'observe').map(({ id }) => id),
  ).toEqual([])
})

test('every entry without a check has a reason, and none with one', () => {
  const unexplained = requirements.filter((entry) => !has(entry.id) && reasonFor(entry) === undefined)
  const needless = requirements.filter((entry) => has(entry.id) && reasonFor(entry) !== undefined)
  expect([...unexplained, ...needless].map(({ id }) => id)).toEqual([])
})

test('controls name silences that the register has', () => {
  const known = new Set(undocumented.map(({ id }) => id))
  expect(controls.flatMap(({ silence }) => silence ?? []).filter((id) => !known.has(id))).toEqual([])
})

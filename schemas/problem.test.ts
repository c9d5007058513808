import { expect, test } from 'vitest'
import { schemas } from './generated/schemas.ts'
import { problemIn } from './problem.ts'

const filled = {
  baseline: { contract: 'v1', waivers: {} },
  profile: { contract: 'v1', variants: {} },
  claim: {
    target: 'a',
    date: '2026-01-01',
    verdict: 'conformant',
    contract: 'v1',
    requirementSet: { version: 'v2' },
    suite: { name: 'a', version: '1' },
    timeLimitMs: 1,
    passed: 1,
    failed: [],
    waived: {},
    notExercised: {},
  },
}

test('a value that matches its schema has no problem', () => {
  for (const schema of ['baseline', 'claim', 'profile'] as const)
    expect(problemIn(schema, filled[schema])).toBeUndefined()
})

test('the problem of a key that is not allowed names it, cut if it is long, and the keys beside it that are', () => {
  expect(
    problemIn('baseline', { contract: 'v1', waivers: { a: { reason: 'r', ['x'.repeat(5000)]: 1 } } }),
  ).toBe(`/waivers/a has the key "${'x'.repeat(60)}"; the keys are reason, expires`)
})

test('the problem of a value that is not allowed names those that are', () => {
  expect(problemIn('profile', { contract: 1, variants: {} })).toBe('/contract must be equal to constant: v1')
})

test('at most three problems are named', () => {
  const problem = problemIn('baseline', { a: 1, b: 2, c: 3, d: 4 })!
  expect(problem.split(', and ')).toHaveLength(3)
})

test.each(['baseline', 'claim', 'profile'] as const)('a foreign key of a %s is named', (schema) => {
  const problem = problemIn(schema, { ...filled[schema], foreign: 1 })
  expect(problem).toBe(
    `its top level has the key "foreign"; the keys are ${Object.keys(schemas[schema]!['properties']!).join(', ')}`,
  )
})

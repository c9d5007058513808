import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { judge, type Signature } from '../../gate/function-rules.ts'
import { functionFiles, readFunctions } from './function-list.ts'

let signatures: Signature[]

beforeAll(async () => {
  signatures = await readFunctions()
})

const checkedIn = (name: string) =>
  readFileSync(new URL(`../../gate/generated/${name}`, import.meta.url), 'utf8')
const stranger: Signature = {
  name: 'stranger',
  kind: 'f',
  volatility: 's',
  language: 'internal',
  strict: true,
  arguments: ['text'],
  result: 'text',
  behind: null,
}

const verdictOf = (changes: Partial<Signature>) => judge([{ ...stranger, ...changes }])[0]!.allowed

test('writes the checked-in list of functions: after `npm run generate -- --only functions`, review the diff', () => {
  for (const [name, text] of Object.entries(functionFiles(signatures))) {
    expect(checkedIn(name) === text, `mock/gate/generated/${name} is stale`).toBe(true)
  }
})

test('decides about every function, and only about those there are', () => {
  expect(signatures.length).toBeGreaterThan(3000)
  const names = new Set(signatures.map(({ name }) => name))
  expect(judge(signatures)).toHaveLength(names.size)
  expect(() => functionFiles([...signatures, stranger])).toThrow(
    'Nobody decided about stranger. Allow or refuse them in mock/gate/function-decisions.ts.',
  )
})

describe('a function that a later PostgreSQL brings', () => {
  test.each<[string, Partial<Signature>, boolean | undefined]>([
    ['is refused when volatile', { volatility: 'v' }, false],
    ['is refused with a name of a dangerous family', { name: 'pg_stranger', volatility: 'i' }, false],
    ['is refused when a procedure', { kind: 'p' }, false],
    ['is refused with types that statements have no use for', { arguments: ['regclass'] }, false],
    ['is refused behind an operator', { behind: 'operator', volatility: 'i' }, false],
    ['is not decided by a rule when written in C', { language: 'c', volatility: 'i' }, undefined],
    ['is not decided by a rule when stable', {}, undefined],
    ['is allowed when immutable', { volatility: 'i' }, true],
    ['is allowed as an aggregate', { kind: 'a' }, true],
  ])('%s', (_, changes, verdict) => {
    expect(verdictOf(changes)).toBe(verdict)
  })

  test('is refused with all its overloads when one is volatile', () => {
    const overloads: Signature[] = [
      { ...stranger, volatility: 'i' },
      { ...stranger, volatility: 'v', arguments: [] },
    ]
    expect(judge(overloads)).toEqual([expect.objectContaining({ name: 'stranger', allowed: false })])
  })
})

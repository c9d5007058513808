import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { judge, type Signature } from '../mock/gate/function-rules.ts'
import { functionFiles, readFunctions } from './function-list.ts'

let signatures: Signature[]

beforeAll(async () => {
  signatures = await readFunctions()
})

const checkedIn = (name: string) =>
  readFileSync(new URL(`../mock/gate/generated/${name}`, import.meta.url), 'utf8')
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

test('the checked-in list of functions is what `npm run generate -- --only functions` writes', () => {
  for (const [name, text] of Object.entries(functionFiles(signatures))) {
    expect(checkedIn(name) === text, `mock/gate/generated/${name} is stale`).toBe(true)
  }
})

test('the list of functions decides about every function of PGlite and about no other', () => {
  expect(signatures.length).toBeGreaterThan(3000)
  const names = new Set(signatures.map(({ name }) => name))
  expect(judge(signatures)).toHaveLength(names.size)
  expect(() => functionFiles([...signatures, stranger])).toThrow(
    'There is no decision about stranger. Allow or refuse them in mock/gate/function-decisions.ts.',
  )
})

describe('a function of a later PostgreSQL', () => {
  test.each<[string, Partial<Signature>, boolean | undefined]>([
    ['is refused if it is volatile', { volatility: 'v' }, false],
    ['is refused if its name is of a dangerous family', { name: 'pg_stranger', volatility: 'i' }, false],
    ['is refused if it is a procedure', { kind: 'p' }, false],
    ['is refused if it has types that no statement needs', { arguments: ['regclass'] }, false],
    ['is refused if it implements an operator', { behind: 'operator', volatility: 'i' }, false],
    ['is decided by no rule if it is written in C', { language: 'c', volatility: 'i' }, undefined],
    ['is decided by no rule if it is stable', {}, undefined],
    ['is allowed if it is immutable', { volatility: 'i' }, true],
    ['is allowed if it is an aggregate', { kind: 'a' }, true],
  ])('%s', (_, changes, verdict) => {
    expect(verdictOf(changes)).toBe(verdict)
  })

  test('is refused with all its overloads if one of them is volatile', () => {
    const overloads: Signature[] = [
      { ...stranger, volatility: 'i' },
      { ...stranger, volatility: 'v', arguments: [] },
    ]
    expect(judge(overloads)).toEqual([expect.objectContaining({ name: 'stranger', allowed: false })])
  })
})

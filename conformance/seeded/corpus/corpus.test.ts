import { expect, test } from 'vitest'
import { corpus } from './index.ts'

const statements = corpus.flatMap((topic) => topic.statements)

test('ids and topics are kebab-case and unique', () => {
  const names = [...corpus.map(({ topic }) => topic), ...statements.map(({ id }) => id)]
  expect(new Set(names).size).toBe(names.length)
  expect(names.filter((name) => !/^[a-z]+(-[a-z]+)*$/.test(name))).toEqual([])
})

test('there are at least sixty, and each says what for', () => {
  expect(statements.length).toBeGreaterThanOrEqual(60)
  expect(statements.filter(({ title, why }) => title.length < 10 || !why.endsWith('.'))).toEqual([])
})

test('a statement that pages or is said to be ordered has an ORDER BY', () => {
  const needing = statements.filter(({ statement, ordered }) => ordered || /\bLIMIT\b/.test(statement))
  expect(needing.filter(({ statement }) => !statement.includes('ORDER BY')).map(({ id }) => id)).toEqual([])
})

import { expect, test } from 'vitest'
import { corpus } from './index.ts'

const statements = corpus.flatMap((topic) => topic.statements)

test('ids and topics of the corpus are kebab-case and unique', () => {
  const names = [...corpus.map(({ topic }) => topic), ...statements.map(({ id }) => id)]
  expect(new Set(names).size).toBe(names.length)
  expect(names.filter((name) => !/^[a-z]+(-[a-z]+)*$/.test(name))).toEqual([])
})

test('the corpus has at least sixty statements, and each has a title and a purpose', () => {
  expect(statements.length).toBeGreaterThanOrEqual(60)
  expect(statements.filter(({ title, why }) => title.length < 10 || !why.endsWith('.'))).toEqual([])
})

test('the files of the corpus have no unknown member', () => {
  const known = ['id', 'title', 'why', 'statement', 'ordered', 'empty', 'topic', 'statements']
  const members = [...corpus, ...statements].flatMap((entry) => Object.keys(entry))
  expect(members.filter((member) => !known.includes(member))).toEqual([])
})

test('a statement of the corpus that has a LIMIT or is ordered has an ORDER BY', () => {
  const needing = statements.filter(({ statement, ordered }) => ordered || /\bLIMIT\b/.test(statement))
  expect(needing.filter(({ statement }) => !statement.includes('ORDER BY')).map(({ id }) => id)).toEqual([])
})

import { expect, test } from 'vitest'
import { compare } from './compare.ts'
import type { Entry } from './entry.ts'
import type { VerdictRecord } from './file.ts'

const entry = (id: string, changes: Partial<Entry> = {}): Entry => ({
  part: 'mutants',
  id,
  verdict: 'non-conformant',
  passed: 2,
  lists: { fail: ['sql.limit'], variants: ['rows.case=lower'] },
  ...changes,
})

interface Some {
  ids?: readonly string[]
  checks?: readonly string[]
}

const recordOf = (entries: readonly Entry[], { ids, checks = ['sql.limit'] }: Some = {}): VerdictRecord => ({
  header: {
    record: 'verdicts',
    commit: 'c0ffee',
    date: '2026-01-01',
    node: 'v20',
    seed: 1,
    hours: 4,
    checks,
    parts: { mutants: { sampled: '', ids: ids ?? entries.map(({ id }) => id) } },
  },
  entries,
  complete: true,
})

const before = recordOf([entry('one'), entry('two')])

test('records with the same entries are equal in any order', () => {
  expect(compare(before, recordOf(before.entries.toReversed()))).toEqual({
    compared: 2,
    different: 0,
    lines: ['mutants: 2 equal, 0 different, unstable: 0, not compared: 0'],
  })
})

test('a difference names the subject, the verdict, the checks and the variants', () => {
  const changed = entry('two', {
    verdict: 'incomplete',
    passed: 3,
    lists: { warn: ['sql.order'], variants: ['rows.case=upper'] },
  })
  expect(compare(before, recordOf([entry('one'), changed]))).toEqual({
    compared: 2,
    different: 1,
    lines: [
      'mutants: 1 equal, 1 different, unstable: 0, not compared: 0',
      '  two: verdict non-conformant -> incomplete, passed 2 -> 3, fail -sql.limit, variants +rows.case=upper -rows.case=lower, warn +sql.order',
    ],
  })
})

test.each([
  ['a check that passed and now does not run', entry('two', { passed: 1 })],
  ['a failed check that now passes', entry('two', { lists: { variants: ['rows.case=lower'] } })],
  ['a verdict alone', entry('two', { verdict: 'incomplete' })],
])('%s is a difference', (_, changed) => {
  expect(compare(before, recordOf([entry('one'), changed])).different).toBe(1)
})

test('a subject that a sample left out of one record is counted and is no difference', () => {
  expect(compare(before, recordOf([entry('one')], { ids: ['one', 'two'] }))).toEqual({
    compared: 1,
    different: 0,
    lines: ['mutants: 1 equal, 0 different, unstable: 0, not compared: 1'],
  })
})

test('a subject that only one record knows is a difference, also if a sample left it out', () => {
  const after = recordOf([entry('one')], { ids: ['one', 'three'] })
  expect(compare(before, after)).toMatchObject({
    different: 2,
    lines: [expect.any(String), '  two: only in BEFORE', '  three: only in AFTER'],
  })
})

test('a part that only one record has is counted and is no difference', () => {
  const { header } = before
  const after = { ...before, header: { ...header, parts: {} }, entries: [] }
  expect(compare(before, after)).toEqual({
    compared: 0,
    different: 0,
    lines: ['mutants: 0 equal, 0 different, unstable: 0, not compared: 2'],
  })
})

test('a subject whose runs did not agree is counted as unstable', () => {
  const after = recordOf([entry('one'), entry('two', { verdict: 'incomplete', unstable: true })])
  expect(compare(before, after)).toMatchObject({ compared: 1, different: 0 })
  expect(compare(after, before).lines[0]).toContain('unstable: 1')
})

test('a check that the suite has lost is a difference', () => {
  expect(compare(before, recordOf(before.entries, { checks: ['sql.limit', 'sql.new'] }))).toMatchObject({
    different: 1,
    lines: ['checks of the suite: +sql.new', expect.any(String)],
  })
})

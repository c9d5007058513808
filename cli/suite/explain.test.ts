import { expect, test } from 'vitest'
import { checks } from '../../conformance/index.ts'
import { openPoints, requirements } from '../../schemas/index.ts'
import { invariants } from '../../invariants/list.ts'
import { explain } from './explain.ts'

test('explain shows the sentence, the way of checking, the place and the defects of a check', () => {
  const text = explain('join.keeps-left-rows')
  expect(text).toMatch(/^join\.keeps-left-rows {2}REQ-SQL-7 {2}\(must\)\n {2}title +MUST keep left rows/)
  expect(text).toMatch(/^ {2}requirement +A server MUST keep the rows of the left view/m)
  expect(text).toMatch(/^ {2}page +docs\/contract\.md#req-sql-7$/m)
  expect(text).toMatch(/^ {2}catches +LEFT JOIN works as INNER JOIN\.$/m)
})

test('explain describes a check that has its requirement for itself as the requirement is described', () => {
  const { check } = requirements.find(({ id }) => id === 'REQ-TIME-5')!
  expect(explain('time.recovers')).toContain(check)
  expect(explain('REQ-TIME-5')).toContain(check)
})

test('explain says of one check of several what it demands and catches, and leaves the others to the requirement', () => {
  const { check } = requirements.find(({ id }) => id === 'REQ-SQL-3')!
  const text = explain('sql.spelling:limit')
  expect(text).toMatch(
    /^ {2}title +MUST return the same rows for another spelling of a LIMIT, if it is served$/m,
  )
  expect(text).toMatch(/^ {2}catches +LIMIT in small letters has no effect\.$/m)
  expect(text).toMatch(/^ {2}checked by +\d+ checks; explain REQ-SQL-3 says what they do$/m)
  expect(text).not.toContain(check)
  expect(explain('REQ-SQL-3')).toContain(check)
})

test('no two checks have the same title, so that each says what it demands', () => {
  const titles = checks.map(({ title }) => title)
  expect(titles.filter((title, at) => titles.indexOf(title) !== at)).toEqual([])
})

test('explain lists the checks of a requirement and the variants of an open point', () => {
  expect(explain('REQ-SQL-3')).toMatch(/^ {2}check +sql\.limit: MUST return/m)
  expect(explain('req-sql-3')).toBe(explain('REQ-SQL-3'))
  expect(explain('NS-14')).toBe(explain('rows.case'))
  expect(explain('rows.case')).toMatch(/^ {2}upper +Upper case\. \(warns: REQ-VIEW-KEYS\)$/m)
})

test('explain explains every check, requirement, open point and invariant', () => {
  for (const { id } of [...checks, ...requirements, ...openPoints, ...invariants])
    expect(explain(id), id).toContain(id)
})

test('explain rejects an unknown id and names the remedy', () => {
  expect(() => explain('nonsense')).toThrow(
    'no check, requirement, open point or invariant "nonsense". conformance --list lists',
  )
})

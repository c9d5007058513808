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

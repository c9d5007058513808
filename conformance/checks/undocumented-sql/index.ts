import { check, type Check, type Finding } from '../check.ts'
import * as filters from './filters.ts'
import * as joins from './joins.ts'
import type { Target } from '../../connection/target.ts'

const attempts: Record<string, [title: string, run: (t: Target) => Promise<Finding>]> = {
  'order-by': ['sorted rows for ORDER BY', filters.orderBy],
  count: ['the number of rows for COUNT', filters.count],
  'group-by': ['groups that add up for GROUP BY', filters.groupBy],
  split: ['for <= the rows that > omits', filters.split],
  'shown-condition': [
    'true for a selected condition as often as WHERE returns a row',
    filters.shownCondition,
  ],
  'three-ways': ['every row once for a condition, its opposite and IS NULL', filters.threeWays],
  filter: ['one row for a filter by id', filters.filterById],
  minimum: ['all rows above the minimum except the oldest', filters.aboveMinimum],
  with: ['the rows of a common table expression', filters.commonTable],
  union: ['every row once for UNION of a view with itself', filters.union],
  semicolon: ['the same rows when the statement ends in a semicolon', filters.semicolon],
  json: ['members of a JSON column', joins.jsonAccess],
  'inner-join': ['only matching pairs for INNER JOIN', joins.innerJoin],
  'joined-delta': ['a delta joined with its bioprocesses', joins.joinedDelta],
  'anti-join': ['rows without a partner for IS NULL over a join', joins.antiJoin],
}

/** Checks that try undocumented SQL and only record the results. */
export const undocumentedSqlChecks: Check[] = Object.entries(attempts).map(([name, [title, run]]) =>
  check({
    id: `sql.beyond:${name}`,
    requirement: 'REQ-SQL-11',
    title: `return ${title}`,
    killedBy: [`beyond-${name}`],
    run,
  }),
)

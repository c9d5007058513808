import { check, type Check, type Finding } from '../check.ts'
import * as filters from './filters.ts'
import * as joins from './joins.ts'
import type { Target } from '../../connection/target.ts'

const attempts: Record<string, [title: string, run: (t: Target) => Promise<Finding>]> = {
  'order-by': ['rows in order for ORDER BY', filters.orderBy],
  count: ['the number of rows for COUNT', filters.count],
  'group-by': ['groups that add up for GROUP BY', filters.groupBy],
  split: ['for <= what > leaves out', filters.split],
  'shown-condition': [
    'a condition as often true where it is shown as where it filters',
    filters.shownCondition,
  ],
  'three-ways': ['every row for a condition, its opposite or IS NULL', filters.threeWays],
  filter: ['the one row of an id', filters.filterById],
  minimum: ['all but the oldest rows above the minimum', filters.aboveMinimum],
  with: ['the rows of a common table expression', filters.commonTable],
  union: ['every row once for UNION of a view with itself', filters.union],
  semicolon: ['the same rows when the statement ends in a semicolon', filters.semicolon],
  json: ['what is inside a JSON column', joins.jsonAccess],
  'inner-join': ['only pairs for INNER JOIN', joins.innerJoin],
  'joined-delta': ['the delta beside its bioprocesses', joins.joinedDelta],
  'anti-join': ['the rows without a partner', joins.antiJoin],
}

/** Tries undocumented SQL. The results are only recorded. */
export const undocumentedSqlChecks: Check[] = Object.entries(attempts).map(([name, [title, run]]) =>
  check({
    id: `sql.beyond:${name}`,
    requirement: 'REQ-SQL-11',
    title: `return ${title}`,
    killedBy: [`beyond-${name}`],
    run,
  }),
)

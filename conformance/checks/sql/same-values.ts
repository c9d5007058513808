import { check } from '../check.ts'
import { readKeys, sameValues } from '../findings/same-values.ts'

export const sameValuesCheck = check({
  id: 'sql.same-values',
  requirement: 'REQ-SQL-2',
  title: 'show the same values of a row in every answer',
  killedBy: ['named-columns-swapped', 'star-blanks-numbers'],
  phase: 'answers',
  run: sameValues(false),
  prepare: readKeys,
})

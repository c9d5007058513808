import { askDocumentedForms } from '../../answers/ask.ts'
import { check } from '../check.ts'
import { readKeys, sameValues, valuesAtRest } from '../findings/same-values.ts'

/** Checks of the values of a row in all answers over single views. */
export const sameValuesChecks = [
  check({
    id: 'sql.values-at-rest',
    requirement: 'REQ-SQL-2',
    title: 'show one value for each last_updated_at of a row, every time',
    killedBy: ['every-fifth-answer-stale'],
    phase: 'answers',
    ask: askDocumentedForms,
    run: valuesAtRest(false),
  }),
  check({
    id: 'sql.same-values',
    requirement: 'REQ-SQL-2',
    title: 'show the same values of a row in every answer',
    killedBy: ['named-columns-swapped', 'star-blanks-numbers'],
    phase: 'answers',
    ask: askDocumentedForms,
    run: sameValues(false),
    prepare: readKeys,
  }),
]

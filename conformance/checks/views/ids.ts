import { rowRules } from '../../../invariants/index.ts'
import { rowCheck } from './row-check.ts'

export const uniqueIdsCheck = rowCheck({
  id: 'ids.unique',
  rule: rowRules.uniqueIds,
  title: 'use an identifier once in its view',
  pass: 'no id occurs twice in its view',
  atLeast: 2,
  killedBy: ['ids-repeated'],
})

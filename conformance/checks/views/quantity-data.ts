import { rowRules } from '../../../invariants/index.ts'
import type { Check } from '../check.ts'
import { rowCheck } from './row-check.ts'

export const quantityDataChecks: Check[] = [
  rowCheck({
    id: 'quantity-data.unique',
    rule: rowRules.uniqueScalars,
    title: 'have one row for each bioprocess and quantity',
    pass: 'no bioprocess has a quantity twice',
    atLeast: 2,
    killedBy: ['quantity-data-twice'],
  }),
  rowCheck({
    id: 'quantity-data.unit',
    rule: rowRules.unit,
    title: 'leave unit the empty text where no unit applies',
    pass: 'unit is a text',
    killedBy: ['quantity-data-unit-null'],
  }),
]

import { rowRules } from '../../../invariants/index.ts'
import { isIso8601, view as viewOf } from '../../../schemas/index.ts'
import type { Check } from '../check.ts'
import { rowCheck } from './row-check.ts'

const isDate = (value: unknown): boolean =>
  typeof value === 'string' && !value.includes('T') && isIso8601(value)

export const timestampChecks: Check[] = [
  rowCheck({
    id: 'timestamps.iso8601',
    rule: rowRules.iso8601,
    title: 'write timestamps in ISO 8601',
    pass: 'all timestamps are ISO 8601',
    killedBy: ['timestamps-local-style', 'timestamps-epoch-text', 'timestamps-late-http-dates'],
    note: {
      count: (row, view) =>
        viewOf(view).columns.filter(({ name, format }) => format && isDate(row[name])).length,
      text: 'timestamps are calendar dates without a time',
    },
  }),
  rowCheck({
    id: 'timestamps.separator',
    rule: rowRules.separator,
    title: 'write a T between date and time',
    pass: 'no timestamp has a space in it',
    killedBy: ['timestamps-space'],
  }),
  rowCheck({
    id: 'timestamps.zone',
    rule: rowRules.zone,
    title: 'write a zone in the five columns that are noted to carry one',
    pass: 'all timestamps that are noted to carry a zone do',
    killedBy: ['timestamps-zoneless'],
  }),
]

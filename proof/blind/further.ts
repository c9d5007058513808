import { type Mutant } from '../mutant.ts'
import { joined, onResult, onSql, type Row } from './helpers.ts'

/** Every thousandth row is a copy of the one before it. */
const repeatThousandth = (rows: Row[]): Row[] =>
  rows.map((row, index) => (index > 0 && index % 1000 === 0 ? rows[index - 1]! : row))

/** Defects that a fresh adversary found unnoticed. */
export const furtherMutants: readonly Mutant[] = [
  {
    id: 'blind-delta-limit-one-less',
    breaks: 'REQ-SQL-3',
    defect: 'LIMIT n on a delta since a date returns n - 1 rows, unless n is 1.',
    wrap: onSql(
      /(last_updated_at\s*>\s*'[^']*'\s+limit\s+)(\d+)/i,
      (_, before, n) => `${before}${Math.max(1, Number(n) - 1)}`,
    ),
  },
  {
    id: 'blind-join-filter-on-right',
    breaks: 'REQ-JOIN-1',
    defect: 'WHERE on the left view of a join is applied to the column of the right view.',
    wrap: onSql(/(\bjoin\s+v_\w+\s+(\w+)\s[\s\S]*\bwhere\s+)\w+(\.last_updated_at)/i, '$1$2$3'),
  },
  {
    id: 'blind-join-thousandth-row-repeated',
    breaks: 'REQ-JOIN-1',
    defect: 'In a join, every thousandth row is a copy of the one before it.',
    wrap: onResult(repeatThousandth, joined),
  },
  {
    id: 'blind-thousandth-row-repeated',
    breaks: 'REQ-SQL-2',
    defect: 'In every answer, each thousandth row is a copy of the one before it.',
    wrap: onResult(repeatThousandth),
  },
  {
    id: 'blind-join-right-column-first',
    breaks: 'REQ-JOIN-1',
    defect: 'An ON condition that names the right view first matches no row.',
    wrap: onSql(/(\bjoin\s+v_\w+\s+(\w+)\s+on\s+)(\w+)\.\w+\s*=\s*\w+\.\w+/i, (all, before, alias, first) =>
      first === alias ? `${before}1 = 0` : all!,
    ),
  },
]

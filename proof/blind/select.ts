import { type Mutant } from '../mutant.ts'
import {
  all,
  from,
  isTime,
  TIMESTAMP,
  joined,
  limited,
  named,
  not,
  onResult,
  onValues,
  refuse,
  remembering,
  type Row,
  sqlOf,
  star,
} from './helpers.ts'

const plainStar = all(star, not(joined))
const mapRows = (rewrite: (row: Row, index: number, rows: Row[]) => Row) => (rows: Row[]) => rows.map(rewrite)
const keep = (row: Row, holds: (key: string, index: number) => boolean): Row =>
  Object.fromEntries(Object.entries(row).filter(([key], index) => holds(key, index)))

export const selectMutants: readonly Mutant[] = [
  {
    id: 'blind-star-columns-of-first-row',
    breaks: 'REQ-SQL-1',
    defect:
      'SELECT * takes its columns from the first row: a column that is null there is missing everywhere.',
    wrap: onResult((rows) => rows.map((row) => keep(row, (key) => rows[0]?.[key] !== null)), plainStar),
  },
  {
    id: 'blind-star-without-large-column',
    breaks: 'REQ-SQL-1',
    defect: 'SELECT * leaves out the series of formula results, which is loaded only by name.',
    wrap: onResult(
      mapRows((row) => keep(row, (key) => key !== 'timeseries')),
      all(plainStar, from('v_formula_results')),
    ),
  },
  {
    id: 'blind-star-refused-for-points',
    breaks: 'REQ-SQL-1',
    defect: 'SELECT * from the largest view is refused with the advice to name columns.',
    wrap: refuse(all(plainStar, from('v_timeseries_data')), 'Please name the columns'),
  },
  {
    id: 'blind-star-ten-columns',
    breaks: 'REQ-SQL-1',
    defect: 'SELECT * returns at most ten columns.',
    wrap: onResult(
      mapRows((row) => keep(row, (_, index) => index < 10)),
      plainStar,
    ),
  },
  {
    id: 'blind-star-duplicate-name-lost',
    breaks: 'REQ-SQL-1',
    defect: 'SELECT * from v_formulas has no column notes, because another view has one too.',
    wrap: onResult(
      mapRows((row) => keep(row, (key) => key !== 'notes')),
      all(plainStar, from('v_formulas')),
    ),
  },
  {
    id: 'blind-named-values-in-other-order',
    breaks: 'REQ-SQL-2',
    defect: 'Values come in alphabetical order of the columns, their names in the order of the statement.',
    wrap: onResult(
      mapRows((row) => {
        const sorted = Object.keys(row).sort()
        return Object.fromEntries(Object.keys(row).map((key, index) => [key, row[sorted[index] ?? key]]))
      }),
      named,
    ),
  },
  {
    id: 'blind-named-distinct',
    breaks: 'REQ-SQL-2',
    defect: 'A SELECT of named columns drops rows that are equal in these columns.',
    wrap: onResult((rows) => {
      const seen = new Set<string>()
      return rows.filter((row) => seen.size < seen.add(JSON.stringify(row)).size)
    }, named),
  },
  {
    id: 'blind-named-single-precision',
    breaks: 'REQ-SQL-2',
    defect: 'Numbers of named columns are read in single precision.',
    wrap: onValues((value) => (typeof value === 'number' ? Math.fround(value) : value), named),
  },
  {
    id: 'blind-named-text-cut',
    breaks: 'REQ-SQL-2',
    defect: 'Texts of named columns are cut to 24 characters.',
    wrap: onValues(
      (value) => (typeof value === 'string' && !TIMESTAMP.test(value) ? value.slice(0, 24) : value),
      named,
    ),
  },
  {
    id: 'blind-named-null-repeats',
    breaks: 'REQ-SQL-2',
    defect:
      'A null in a named column repeats the value of the row before, because the buffer is not cleared.',
    wrap: onResult((rows) => {
      const last: Row = {}
      return rows.map((row) => {
        for (const [key, value] of Object.entries(row)) last[key] = value ?? last[key] ?? null
        return { ...row, ...last }
      })
    }, named),
  },
  {
    id: 'blind-named-flag-inverted',
    breaks: 'REQ-SQL-2',
    defect: 'Booleans of named columns are inverted.',
    wrap: onValues((value) => (typeof value === 'boolean' ? !value : value), named),
  },
  {
    id: 'blind-named-with-row-number',
    breaks: 'REQ-SQL-2',
    defect: 'A SELECT of named columns with LIMIT returns the column row_number in addition.',
    wrap: onResult(
      mapRows((row, index) => ({ ...row, row_number: index + 1 })),
      all(named, limited),
    ),
  },
  {
    id: 'blind-named-last-column-lost',
    breaks: 'REQ-SQL-2',
    defect: 'The last of three or more named columns is missing.',
    wrap: onResult(
      mapRows((row) => {
        const count = Object.keys(row).length
        return count < 3 ? row : keep(row, (_, index) => index < count - 1)
      }),
      named,
    ),
  },
  {
    id: 'blind-named-milliseconds',
    breaks: 'REQ-SQL-2',
    defect: 'Timestamps of named columns lose their microseconds, which SELECT * shows.',
    wrap: onValues((value) => (isTime(value) ? value.replace(/(\.\d{3})\d+/, '$1') : value), named),
  },
  {
    id: 'blind-named-ascii',
    breaks: 'REQ-SQL-2',
    defect: 'Letters outside ASCII become question marks in named columns.',
    wrap: onValues(
      (value) => (typeof value === 'string' ? value.replace(/[^\u0020-\u007E]/g, '?') : value),
      named,
    ),
  },
  {
    id: 'blind-named-last-row-repeated',
    breaks: 'REQ-SQL-2',
    defect: 'The last row of named columns is a copy of the row before it.',
    wrap: onResult((rows) => (rows.length < 2 ? rows : [...rows.slice(0, -1), rows.at(-2) as Row]), named),
  },
  {
    id: 'blind-named-arrays-cut',
    breaks: 'REQ-SQL-2',
    defect: 'Arrays of named columns are cut to two items.',
    wrap: onValues((value: unknown) => (Array.isArray(value) ? value.slice(0, 2) : value), named),
  },
  {
    id: 'blind-named-column-shifted-late',
    breaks: 'REQ-SQL-2',
    defect: 'From the 201st row on, the last named column has the value of the row before.',
    wrap: onResult(
      mapRows((row, index, rows) => {
        const key = Object.keys(row).at(-1) ?? ''
        return index < 200 ? row : { ...row, [key]: rows[index - 1]?.[key] }
      }),
      named,
    ),
  },
  {
    id: 'blind-named-zero-null',
    breaks: 'REQ-SQL-2',
    defect: 'The number zero in a named column is null.',
    wrap: onValues((value) => (value === 0 ? null : value), named),
  },
  {
    id: 'blind-answers-exchanged',
    breaks: 'REQ-SQL-2',
    defect: 'A pooled connection answers a request with the rows of the request that it overtook.',
    wrap: remembering(
      () => ({ running: [] as string[] }),
      async (state, call, next) => {
        const other = state.running.at(-1)
        state.running.push(sqlOf(call))
        try {
          return await next(other && call.statement !== undefined ? { ...call, statement: other } : call)
        } finally {
          state.running.pop()
        }
      },
    ),
  },
  {
    id: 'blind-plan-cached-by-beginning',
    breaks: 'REQ-SQL-2',
    defect:
      'Plans are cached by the first column and the view, so later statements return the columns of the first.',
    wrap: remembering(
      () => new Map<string, string>(),
      async (plans, call, next) => {
        const key = /^\s*select\s+(\w+)[^()]*\bfrom\s+(\w+)\s*(limit\s+\d+)?\s*$/i.exec(sqlOf(call))
        if (!key) return next(call)
        const name = `${key[1]} ${key[2]} ${key[3]}`
        const statement = plans.get(name) ?? sqlOf(call)
        plans.set(name, statement)
        return next({ ...call, statement })
      },
    ),
  },
]

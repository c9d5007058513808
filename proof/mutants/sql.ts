import { errorReply, onEnvelope, onRows, onStatement, wrapper, type Call, type Mutant } from '../mutant.ts'

const selectsAll = ({ statement = '' }: Call): boolean => /^\s*select\s+\*/i.test(statement)
/** A SELECT list of columns without prefixes, functions and subqueries. */
const namedList = /^(\s*select\s+)\w+(\s*,\s*\w+)*(?=\s+from\s)/i
const selectsNamed = ({ statement = '' }: Call): boolean => namedList.test(statement)
const limit = /\blimit\s+(\d+)/i

const withLimit = (rewrite: (n: number) => number): Mutant['wrap'] =>
  onStatement((sql) => sql.replace(limit, (_, n: string) => `LIMIT ${rewrite(Number(n))}`))

/** Defects of SELECT on one view. */
export const sqlMutants: Mutant[] = [
  {
    id: 'select-all-refused',
    breaks: 'REQ-SQL-1',
    defect: 'SELECT * is refused.',
    wrap: wrapper(async (call, next) =>
      selectsAll(call) ? errorReply('Error executing statement') : next(call),
    ),
  },
  {
    id: 'select-refused-without-limit',
    breaks: 'REQ-SQL-2',
    defect: 'A SELECT of one view is refused without LIMIT.',
    wrap: wrapper(async (call, next) =>
      /^select [^(]* from v_\w+$/i.test(call.statement ?? '')
        ? errorReply('Error executing statement')
        : next(call),
    ),
  },
  {
    id: 'select-all-drops-column',
    breaks: 'REQ-SQL-1',
    defect: 'SELECT * omits the second column.',
    wrap: onRows((row, call) =>
      selectsAll(call) ? Object.fromEntries(Object.entries(row).filter((_, index) => index !== 1)) : row,
    ),
  },
  {
    id: 'named-columns-ignored',
    breaks: 'REQ-SQL-2',
    defect: 'A SELECT of named columns returns all columns.',
    wrap: onStatement((sql) => sql.replace(namedList, '$1*')),
  },
  {
    id: 'named-columns-swapped',
    breaks: 'REQ-SQL-2',
    defect: 'The values of the first two named columns are swapped.',
    wrap: onRows((row, call) => {
      const [first, second, ...rest] = Object.entries(row)
      if (!selectsNamed(call) || !first || !second) return row
      return Object.fromEntries([[first[0], second[1]], [second[0], first[1]], ...rest])
    }),
  },
  {
    id: 'named-column-missing',
    breaks: 'REQ-SQL-2',
    defect: 'The first of several named columns is missing.',
    wrap: onRows((row, call) => {
      const entries = Object.entries(row)
      return selectsNamed(call) && entries.length > 1 ? Object.fromEntries(entries.slice(1)) : row
    }),
  },
  {
    id: 'limit-plus-one',
    breaks: 'REQ-SQL-3',
    defect: 'LIMIT n returns n + 1 rows.',
    wrap: withLimit((n) => n + 1),
  },
  {
    id: 'limit-ignored',
    breaks: 'REQ-SQL-3',
    defect: 'LIMIT has no effect.',
    wrap: onStatement((sql) => sql.replace(limit, '')),
  },
  {
    id: 'limit-off-when-large',
    breaks: 'REQ-SQL-3',
    defect: 'LIMIT n returns n - 1 rows for n > 1.',
    wrap: withLimit((n) => (n > 1 ? n - 1 : n)),
  },
  {
    id: 'limit-repeats-first-row',
    breaks: 'REQ-SQL-3',
    defect: 'LIMIT n repeats the first row for n < 100.',
    wrap: onEnvelope((envelope, { statement = '' }) => {
      const n = Number(limit.exec(statement)?.[1] ?? 100)
      return n < 100 ? { ...envelope, data: envelope.data.map(() => envelope.data[0]) } : envelope
    }),
  },
  {
    id: 'quotes-escaped-refused',
    breaks: 'REQ-SQL-9',
    defect: 'A body with \\u0027 causes a JSON decode error.',
    wrap: wrapper(async (call, next) =>
      /\\u0027/i.test(call.body) ? errorReply('JSON decode error: invalid escape') : next(call),
    ),
  },
  {
    id: 'quotes-plain-refused',
    breaks: 'REQ-SQL-9',
    defect: "A body with ' causes a JSON decode error.",
    wrap: wrapper(async (call, next) =>
      call.body.includes("'") ? errorReply('JSON decode error: unexpected quote') : next(call),
    ),
  },
  {
    id: 'quotes-escaped-lose-filter',
    breaks: 'REQ-SQL-9',
    defect: 'A literal with quotes sent as \\u0027 is read as NULL.',
    wrap: wrapper((call, next) =>
      next(
        /\\u0027/i.test(call.body) && call.statement !== undefined
          ? { ...call, statement: call.statement.replace(/'[^']*'/g, 'NULL') }
          : call,
      ),
    ),
  },
  {
    id: 'quotes-escaped-end-statement',
    breaks: 'REQ-SQL-9',
    defect: 'A statement ends before WHERE if a quote in it is sent as \\u0027.',
    wrap: wrapper((call, next) =>
      next(
        /\\u0027/i.test(call.body) && call.statement !== undefined
          ? { ...call, statement: call.statement.replace(/\bwhere\b.*$/is, '') }
          : call,
      ),
    ),
  },
]

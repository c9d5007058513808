import { errorReply, onEnvelope, onRows, onStatement, wrapper, type Call, type Mutant } from '../mutant.ts'

const selectsAll = ({ statement = '' }: Call): boolean => /^\s*select\s+\*/i.test(statement)
/** A SELECT list of columns without prefixes, functions and subqueries. */
const namedList = /^(\s*select\s+)\w+(\s*,\s*\w+)*(?=\s+from\s)/i
const selectsNamed = ({ statement = '' }: Call): boolean => namedList.test(statement)
const limit = /\blimit\s+(\d+)/i

const withLimit = (rewrite: (n: number) => number): Mutant['wrap'] =>
  onStatement((sql) => sql.replace(limit, (_, n: string) => `LIMIT ${rewrite(Number(n))}`))

const withoutLimitIf = (applies: RegExp): Mutant['wrap'] =>
  onStatement((sql) => (applies.test(sql) ? sql.replace(/\blimit\s+\d+\s*$/i, '') : sql))

/** Defects that only statements in another spelling show. */
const respelled = Object.entries<[breaks: string, defect: string, rewrite: (sql: string) => string]>({
  'view-empty': [
    'REQ-SQL-1',
    'A view in capitals is empty.',
    (sql) => (/\bV_[A-Z]/.test(sql) ? `${sql.replace(/[;\s]+$/, '')} LIMIT 0` : sql),
  ],
  'column-null': [
    'REQ-SQL-2',
    'The first column in capitals is null.',
    (sql) => sql.replace(/^(\s*\w+\s+)([A-Z_]{2,})(?=\s*,)/, '$1NULL AS $2'),
  ],
  'limit-lost': [
    'REQ-SQL-3',
    'LIMIT in small letters has no effect.',
    (sql) => sql.replace(/\blimit\s+\d+/, ''),
  ],
  'filter-lost': [
    'REQ-DELTA-6',
    'A filter in parentheses has no effect.',
    (sql) => sql.replace(/\bwhere\s*\(.*\)/is, ''),
  ],
  'filter-reversed': [
    'REQ-DELTA-7',
    'A comparison whose left side is a subquery is read from left to right.',
    (sql) => sql.replace(/\)\s*<\s*(?=[\w.]+)/, ') > '),
  ],
  'join-inner': [
    'REQ-JOIN-1',
    'LEFT OUTER JOIN leaves out rows without a partner.',
    (sql) => sql.replace(/\bleft\s+outer\s+join\b/i, 'JOIN'),
  ],
  'tabs-lost': ['REQ-SQL-3', 'Tabs are lost.', (sql) => sql.replaceAll('\t', '')],
  'limit-overlooked': [
    'REQ-SQL-3',
    'LIMIT behind a line break is overlooked, and no answer has more than 50 rows then.',
    (sql) => sql.replace(/\n\s*LIMIT\s+(\d+)/i, (_, n: string) => ` LIMIT ${Math.min(Number(n), 50)}`),
  ],
  'limit-of-comment': [
    'REQ-SQL-1',
    'LIMIT in a block comment counts.',
    (sql) =>
      sql.replace(
        /^(.*)\/\*[^*]*(LIMIT \d+) \*\/.*$/s,
        (_, before: string, read: string) => `${before}${read}`,
      ),
  ],
  'quote-of-comment': [
    'REQ-DELTA-6',
    'A quote in a block comment begins a literal, and a filter in a literal has no effect.',
    (sql) =>
      /\/\*.*'.*\*\//s.test(sql) && !/\bwhere\b/i.test(sql.replaceAll(/'[^']*'/g, ''))
        ? sql.replace(/\bwhere\b.*$/is, '')
        : sql,
  ],
  'semicolon-of-comment': [
    'REQ-DELTA-7',
    'A semicolon in a block comment ends the statement.',
    (sql) => sql.replace(/\/\*[^*]*;.*$/s, ''),
  ],
}).map(([name, [breaks, defect, rewrite]]): Mutant => ({
  id: `spelling-${name}`,
  breaks,
  defect,
  wrap: onStatement(rewrite),
}))

/** Defects of a decoder, as what it makes of a body. */
const misread = Object.entries<[breaks: string, defect: string, rewrite: (body: string) => string]>({
  'escapes-in-small-digits-lost': [
    'REQ-SQL-9',
    'An escape with small hexadecimal digits is dropped.',
    (body) => body.replaceAll(/\\u00\d[a-f]/g, ''),
  ],
  'escapes-of-symbols-lost': [
    'REQ-SQL-9',
    'An escaped operator is kept as its escape.',
    (body) => body.replaceAll(/\\u003e/gi, '\\\\u003e'),
  ],
  'key-escaped-refused': [
    'REQ-HTTP-1',
    'An escaped key is unknown.',
    (body) => body.replace(/^\s*\{\s*"\\u.*?"/, '{"x"'),
  ],
  'space-in-body-refused': [
    'REQ-HTTP-1',
    'A body has to begin with its brace.',
    (body) => body.replace(/^\s+/, '?'),
  ],
  'body-as-latin-1': [
    'REQ-SQL-9',
    'A body is decoded as Latin-1.',
    (body) => Buffer.from(body).toString('latin1'),
  ],
  'surrogates-lost': [
    'REQ-SQL-9',
    'An escaped surrogate is a question mark.',
    (body) => body.replaceAll(/\\ud[89a-f]../gi, '?'),
  ],
}).map(([id, [breaks, defect, rewrite]]): Mutant => ({
  id,
  breaks,
  defect,
  wrap: (fetch) => (input, init) =>
    fetch(input, typeof init?.body === 'string' ? { ...init, body: rewrite(init.body) } : init),
}))

/** Defects of SELECT, of LIMIT and of answers without rows. */
export const sqlMutants: Mutant[] = [
  ...respelled,
  ...misread,
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
    id: 'limit-zero-unlimited',
    breaks: 'REQ-SQL-3',
    defect: 'LIMIT 0 means no limit.',
    wrap: onStatement((sql) => sql.replace(/ limit 0$/i, '')),
  },
  {
    id: 'limit-refused',
    breaks: 'REQ-SQL-3',
    defect: 'LIMIT is an unknown word.',
    wrap: wrapper(async (call, next) =>
      / limit \d/i.test(call.statement ?? '') ? errorReply('Token unknown: LIMIT') : next(call),
    ),
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
  ...[1, 10].map((more): Mutant => ({
    id: `limit-${more}-above-padded`,
    breaks: 'REQ-SQL-3',
    defect: `A LIMIT that is ${more} above the number of rows is filled with rows of nulls.`,
    wrap: onEnvelope((envelope, { statement = '' }) => {
      const n = Number(limit.exec(statement)?.[1] ?? 0)
      const [row] = envelope.data
      if (!row || n !== envelope.data.length + more) return envelope
      const empty = Object.fromEntries(Object.keys(row).map((key) => [key, null]))
      return { ...envelope, data: [...envelope.data, ...Array.from({ length: more }, () => empty)] }
    }),
  })),
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
  {
    id: 'limit-ignored-with-where',
    breaks: 'REQ-SQL-3',
    defect: 'LIMIT has no effect after WHERE.',
    wrap: withoutLimitIf(/\bwhere\b/i),
  },
  {
    id: 'limit-ignored-in-joins',
    breaks: 'REQ-SQL-3',
    defect: 'LIMIT has no effect after JOIN.',
    wrap: withoutLimitIf(/\bjoin\b/i),
  },
  {
    id: 'equal-rows-merged',
    breaks: 'REQ-SQL-3',
    defect: 'Rows of an answer that are equal are sent once.',
    wrap: onEnvelope((envelope) => ({
      ...envelope,
      data: [...new Map(envelope.data.map((row) => [JSON.stringify(row), row])).values()],
    })),
  },
  {
    id: 'rows-without-first-value-lost',
    breaks: 'REQ-SQL-3',
    defect: 'Rows whose first column is null are left out.',
    wrap: onEnvelope((envelope) => ({
      ...envelope,
      data: envelope.data.filter((row) => Object.values(row)[0] !== null),
    })),
  },
  {
    id: 'one-column-merged',
    breaks: 'REQ-SQL-3',
    defect: 'A SELECT of one column returns each value once.',
    wrap: onStatement((sql) => sql.replace(/^\s*select\s+(\w+)(?=\s+from\s)/i, 'SELECT DISTINCT $1')),
  },
  {
    id: 'limit-ignored-in-one-view',
    breaks: 'REQ-SQL-3',
    defect: 'LIMIT has no effect in v_experiments.',
    wrap: withoutLimitIf(/^\s*select\s[^()]*\sfrom\s+v_experiments\s+limit\b/i),
  },
  {
    id: 'first-answer-halved',
    breaks: 'REQ-SQL-3',
    defect: 'The first answer to each SELECT of v_timeseries with LIMIT has half of its rows.',
    wrap: (fetch) => {
      const known = new Set<string>()
      return onEnvelope((envelope, { statement = '' }) => {
        if (!/^select [^(]* from v_timeseries limit \d+$/i.test(statement) || known.has(statement))
          return envelope
        known.add(statement)
        return { ...envelope, data: envelope.data.slice(0, envelope.data.length >> 1) }
      })(fetch)
    },
  },
  {
    id: 'empty-same-message-in-joins',
    breaks: 'REQ-SQL-8',
    defect: 'A join without results has the message of a statement with results.',
    wrap: onEnvelope(({ data, status }, { statement = '' }) => ({
      data,
      status:
        data.length === 0 && status.state === 'success' && /\bjoin\b/i.test(statement)
          ? { ...status, message: 'Statement executed successfully' }
          : status,
    })),
  },
  {
    id: 'star-blanks-numbers',
    breaks: 'REQ-SQL-2',
    defect: 'SELECT * rounds numbers to integers.',
    wrap: onRows((row, { statement = '' }) =>
      /^\s*select\s+\*/i.test(statement)
        ? Object.fromEntries(
            Object.entries(row).map(([key, value]) => [
              key,
              typeof value === 'number' ? Math.round(value) : value,
            ]),
          )
        : row,
    ),
  },
  {
    id: 'empty-rows-lost',
    breaks: 'REQ-SQL-2',
    defect: 'Rows whose values are all null, false, 0 or empty are left out.',
    wrap: onEnvelope((envelope) => ({
      ...envelope,
      data: envelope.data.filter((row) => Object.values(row).some(Boolean)),
    })),
  },
  {
    id: 'times-of-next-row',
    breaks: 'REQ-SQL-2',
    defect: 'Without table_name, each archived_at of v_archived_records is that of the next row.',
    wrap: onEnvelope(({ data, status }, { statement = '' }) => ({
      status,
      data: /^\s*select(?!.*\btable_name\b)\s+\w+\s*,.*\bfrom\s+v_archived_records\b/is.test(statement)
        ? data.map((row, index) =>
            'archived_at' in row
              ? { ...row, archived_at: data[(index + 1) % data.length]!['archived_at'] }
              : row,
          )
        : data,
    })),
  },
  {
    id: 'batch-row-doubled',
    breaks: 'REQ-SQL-3',
    defect: 'A single row after a full batch of 128 is the last row of the batch again.',
    wrap: onEnvelope(({ data, status }) => ({
      status,
      data: data.length > 1 && data.length % 128 === 1 ? [...data.slice(0, -1), data.at(-2)] : data,
    })),
  },
  {
    id: 'points-of-star-drift',
    breaks: 'REQ-SQL-2',
    defect: 'SELECT * of the points shows a later second in every row behind the 300th.',
    wrap: onEnvelope(({ data, status }, { statement = '' }) => ({
      status,
      data: /^select \* from v_timeseries_data\b/i.test(statement)
        ? data.map((row, index) =>
            index < 300
              ? row
              : { ...row, timestamp: new Date(Date.parse(String(row['timestamp'])) + 1000).toISOString() },
          )
        : data,
    })),
  },
]

import {
  errorReply,
  onEnvelope,
  onRows,
  onStatement,
  wrapper,
  type Envelope,
  type Mutant,
} from '../mutant.ts'

/** `last_updated_at > '2025-01-01'`, with or without a keyword before the date. */
const literalFilter = /(\blast_updated_at\s*)>(\s*(?:date\s+|timestamp\s+)?'[^']*')/i
/** `last_updated_at > (SELECT MAX(last_updated_at) FROM v_x)`. */
const subqueryFilter =
  /(\blast_updated_at\s*)>(\s*\(\s*select\s+)max(\s*\(\s*last_updated_at\s*\)\s*from\s+)(v_\w+)(\s*\))/i
const nothing = '1 = 0'

const column = 'last_updated_at'

/** Rewrites the filter by date literal in a statement on one view. */
const onFilterOf = (rewrite: (name: string, filter: string) => string): Mutant['wrap'] =>
  onStatement((sql) => {
    const name = /\bfrom\s+(v_\w+)/i.exec(sql)?.[1]
    return name === undefined ? sql : sql.replace(literalFilter, (filter) => rewrite(name, filter))
  })

const refusing = (pattern: RegExp): Mutant['wrap'] =>
  wrapper(async (call, next) =>
    pattern.test(call.statement ?? '') ? errorReply('Error executing statement') : next(call),
  )

const onEmpty = (
  rewrite: (envelope: Envelope) => unknown,
  status?: (envelope: Envelope, was: number) => number,
): Mutant['wrap'] =>
  onEnvelope(
    (envelope) =>
      envelope.status.state === 'success' && envelope.data.length === 0 ? rewrite(envelope) : envelope,
    status,
  )

const saying = (message: string): Mutant['wrap'] =>
  onEmpty((envelope) => ({ ...envelope, status: { ...envelope.status, message } }))

/** Shows every last update some hours off under the same offset. Filters are right. */
const stampsOff = (hours: number): Mutant['wrap'] =>
  onRows((row) => {
    const text = row[column]
    if (typeof text !== 'string') return row
    const shown = new Date(Date.parse(text) + hours * 3_600_000).toISOString()
    return { ...row, [column]: shown.slice(0, 19) + text.slice(19) }
  })

/** Defects of deltas. */
export const deltaMutants: Mutant[] = [
  {
    id: 'delta-literal-refused',
    breaks: 'REQ-SQL-4',
    defect: 'A comparison with a date literal is refused.',
    wrap: refusing(literalFilter),
  },
  {
    id: 'delta-leap-day-refused',
    breaks: 'REQ-SQL-4',
    defect: 'A comparison with February 29 is refused.',
    wrap: refusing(/>[^'>]*'\d{4}-02-29/),
  },
  {
    id: 'delta-other-view-refused',
    breaks: 'REQ-SQL-5',
    defect: 'A scalar subquery is refused if it reads another view than the statement.',
    wrap: wrapper(async (call, next) => {
      const { statement = '' } = call
      const own = /\bfrom\s+(v_\w+)/i.exec(statement)?.[1]
      const read = subqueryFilter.exec(statement)?.[4]
      return read === undefined || read === own ? next(call) : errorReply('Error executing statement')
    }),
  },
  {
    id: 'delta-subquery-refused',
    breaks: 'REQ-SQL-5',
    defect: 'A comparison with a scalar subquery is refused.',
    wrap: refusing(subqueryFilter),
  },
  {
    id: 'empty-same-message',
    breaks: 'REQ-SQL-8',
    defect: 'A success has the same message with and without rows.',
    wrap: onEnvelope((envelope) =>
      envelope.status.state === 'success'
        ? { ...envelope, status: { ...envelope.status, message: 'success' } }
        : envelope,
    ),
  },
  {
    id: 'empty-without-message',
    breaks: 'REQ-SQL-8',
    defect: 'A result without rows has an empty message.',
    wrap: saying(''),
  },
  {
    id: 'empty-without-data',
    breaks: 'REQ-SQL-8',
    defect: 'A result without rows has data null.',
    wrap: onEmpty((envelope) => ({ ...envelope, data: null })),
  },
  {
    id: 'empty-is-error',
    breaks: 'REQ-SQL-8',
    defect: 'A result without rows is reported as an error.',
    wrap: onEmpty((envelope) => ({ ...envelope, status: { state: 'error', message: 'no results' } })),
  },
  {
    id: 'empty-says-done',
    breaks: 'REQ-SQL-8:should',
    defect: 'The message of a result without rows does not mention rows.',
    wrap: saying('Done.'),
  },
  {
    id: 'delta-column-missing',
    breaks: 'REQ-DELTA-1',
    defect: 'No view has the column last_updated_at.',
    wrap: refusing(/\blast_updated_at\b/i),
  },
  {
    id: 'delta-gte',
    breaks: 'REQ-DELTA-2',
    defect: 'Every > in a filter on last_updated_at works as >=.',
    wrap: onStatement((sql) => sql.replace(/(last_updated_at\s*)>(?!=)/gi, '$1>=')),
  },
  {
    id: 'delta-subquery-lt',
    breaks: 'REQ-DELTA-2',
    defect: 'Every > before a scalar subquery works as <.',
    wrap: onStatement((sql) => sql.replace(subqueryFilter, '$1<$2MAX$3$4$5')),
  },
  {
    id: 'delta-literal-ignored',
    breaks: 'REQ-DELTA-6',
    defect: 'A filter by date literal returns every row.',
    wrap: onStatement((sql) => sql.replace(literalFilter, '1 = 1')),
  },
  {
    id: 'delta-literal-lt',
    breaks: 'REQ-DELTA-6',
    defect: 'Every > before a date literal works as <.',
    wrap: onStatement((sql) => sql.replace(literalFilter, '$1<$2')),
  },
  {
    id: 'delta-literal-empty',
    breaks: 'REQ-DELTA-6',
    defect: 'A filter by date literal returns no row.',
    wrap: onStatement((sql) => sql.replace(literalFilter, nothing)),
  },
  {
    id: 'delta-literal-loses-oldest',
    breaks: 'REQ-DELTA-6',
    defect: 'A filter by date literal never returns the oldest row.',
    wrap: onFilterOf((name, filter) => `(${filter} AND ${column} <> (SELECT MIN(${column}) FROM ${name}))`),
  },
  {
    id: 'delta-literal-keeps-newest',
    breaks: 'REQ-DELTA-6',
    defect: 'A filter by date literal always returns the newest row.',
    wrap: onFilterOf((name, filter) => `(${filter} OR ${column} = (SELECT MAX(${column}) FROM ${name}))`),
  },
  {
    id: 'delta-loses-row',
    breaks: 'REQ-DELTA-6',
    defect: 'A filter by date literal loses the last of several rows.',
    wrap: onEnvelope((envelope, { statement = '' }) =>
      literalFilter.test(statement) && envelope.data.length > 1
        ? { ...envelope, data: envelope.data.slice(0, -1) }
        : envelope,
    ),
  },
  {
    id: 'delta-one-row-per-time',
    breaks: 'REQ-DELTA-6',
    defect: 'Of rows with the same last_updated_at, a filter by date literal returns the first.',
    wrap: onEnvelope(({ data, status }, { statement = '' }) => {
      const times = data.map((row) => row[column])
      const isFirst = (_: unknown, index: number) =>
        times[index] === undefined || times.indexOf(times[index]) === index
      return { status, data: literalFilter.test(statement) ? data.filter(isFirst) : data }
    }),
  },
  {
    id: 'delta-stamps-late',
    breaks: 'REQ-DELTA-6',
    defect: 'last_updated_at is shown five hours late, and filters compare the right times.',
    wrap: stampsOff(5),
  },
  {
    id: 'delta-stamps-early',
    breaks: 'REQ-DELTA-6',
    defect: 'last_updated_at is shown five hours early, and filters compare the right times.',
    wrap: stampsOff(-5),
  },
  {
    id: 'delta-literal-by-day',
    breaks: 'REQ-DELTA-6:should',
    defect: 'A filter by date literal compares days only.',
    wrap: onStatement((sql) =>
      sql.replace(
        /(\blast_updated_at\s*)>(\s*'[^']*')/i,
        "date_trunc('day', $1) > date_trunc('day', $2::timestamptz)",
      ),
    ),
  },
  {
    id: 'delta-subquery-min',
    breaks: 'REQ-DELTA-7',
    defect: 'MAX in a scalar subquery works as MIN.',
    wrap: onStatement((sql) => sql.replace(subqueryFilter, '$1>$2MIN$3$4$5')),
  },
  {
    id: 'delta-newest-of-experiments',
    breaks: 'REQ-DELTA-7',
    defect: 'MAX over v_experiments in a scalar subquery reads v_bioprocesses.',
    wrap: onStatement((sql) =>
      sql.replace(subqueryFilter, (all, ...parts: string[]) =>
        parts[3] === 'v_experiments' ? all.replace(parts[3], 'v_bioprocesses') : all,
      ),
    ),
  },
  {
    id: 'delta-subquery-own-view',
    breaks: 'REQ-DELTA-7',
    defect: 'A scalar subquery always reads the filtered view.',
    wrap: onStatement((sql) => {
      const own = /\bfrom\s+(v_\w+)/i.exec(sql)?.[1]
      return own === undefined ? sql : sql.replace(subqueryFilter, `$1>$2MAX$3${own}$5`)
    }),
  },
  {
    id: 'delta-subquery-empty',
    breaks: 'REQ-DELTA-7',
    defect: 'A filter by scalar subquery returns no row.',
    wrap: onStatement((sql) => sql.replace(subqueryFilter, nothing)),
  },
  {
    id: 'delta-subquery-ignored',
    breaks: 'REQ-DELTA-7',
    defect: 'A filter by scalar subquery returns every row.',
    wrap: onStatement((sql) => sql.replace(subqueryFilter, '1 = 1')),
  },
  {
    id: 'delta-since-ever-loses-rows',
    breaks: 'REQ-DELTA-6',
    defect: 'A delta since a date before 1980 with more than two rows lacks its first one.',
    wrap: onEnvelope(({ data, status }, { statement = '' }) => ({
      status,
      data: /\bwhere\b.*'197\d-/i.test(statement) && data.length > 2 ? data.slice(1) : data,
    })),
  },
]

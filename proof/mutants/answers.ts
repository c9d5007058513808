import { onEnvelope, onRows, onStatement, wrapper, type Mutant } from '../mutant.ts'

/** Rewrites the bytes of every response. */
const onBytes = (rewrite: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>): Mutant['wrap'] =>
  wrapper(async (call, next) => {
    const { status, headers, ...response } = await next(call).then(async (answer) => ({
      status: answer.status,
      headers: answer.headers,
      bytes: new Uint8Array(await answer.arrayBuffer()),
    }))
    return new Response(rewrite(response.bytes), { status, headers })
  })

const latin1 = (bytes: Uint8Array): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(Buffer.from(bytes).toString('utf8'), 'latin1'))

const withoutLimitIf = (applies: RegExp): Mutant['wrap'] =>
  onStatement((sql) => (applies.test(sql) ? sql.replace(/\blimit\s+\d+\s*$/i, '') : sql))

/** Defects of some forms of statements, which only the judging of every answer finds. */
export const answerMutants: Mutant[] = [
  {
    id: 'body-latin-1',
    breaks: 'REQ-HTTP-4',
    defect: 'Bodies are encoded in Latin-1.',
    wrap: onBytes(latin1),
  },
  {
    id: 'body-with-mark',
    breaks: 'REQ-HTTP-4',
    defect: 'A byte order mark precedes the JSON.',
    wrap: onBytes((bytes) => new Uint8Array(Buffer.concat([Buffer.from('\uFEFF'), bytes]))),
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
    id: 'join-truncates-text',
    breaks: 'REQ-JOIN-1',
    defect: 'A join truncates texts of its right view to 8 characters.',
    wrap: onRows((row, { statement = '' }) =>
      /\bjoin v_bioprocesses\b/i.test(statement) && typeof row['name'] === 'string'
        ? { ...row, name: row['name'].slice(0, 8) }
        : row,
    ),
  },
  {
    id: 'delta-types-differ',
    breaks: 'REQ-VIEW-TYPES:v_bioprocesses',
    defect: 'A delta writes ids of v_bioprocesses as numbers.',
    wrap: onRows((row, { statement = '' }) =>
      /from v_bioprocesses\s+where/i.test(statement) && typeof row['id'] === 'string'
        ? { ...row, id: row['id'].length }
        : row,
    ),
  },
]

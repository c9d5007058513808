import { contract } from '../../schemas/index.ts'
import type { Control } from './control.ts'
import { live } from './live.ts'
import { errorReply, onEnvelope, onStatement, wrapper, type Mutant } from './mutant.ts'

const refusing = (
  refuses: (sql: string) => boolean,
  message: string = contract.messages.exception,
): Mutant['wrap'] =>
  wrapper(async (call, next) =>
    call.statement !== undefined && refuses(call.statement) ? errorReply(message) : next(call),
  )

const LITERAL = String.raw`'[^']*'`
const MAXIMUM = String.raw`\(SELECT MAX\(last_updated_at\) FROM \w+\)`
const JOIN = String.raw` \w+ LEFT JOIN \w+ \w+ ON [\w.]+ = [\w.]+`
/** The kinds of statement that the contract shows, and nothing beside them. */
const DOCUMENTED = new RegExp(
  String.raw`^SELECT (\*|[\w.*]+(, [\w.*]+)*) FROM \w+(${JOIN}|( WHERE last_updated_at > (${LITERAL}|${MAXIMUM}))?)( LIMIT \d+)?$`,
  'i',
)
const oneLine = (sql: string): string => sql.trim().replaceAll(/\s+/g, ' ')

/** Every view behind a table expression of its name. */
const views = (rows: (name: string) => string): Mutant['wrap'] =>
  onStatement((sql) =>
    /^\s*select\b/i.test(sql)
      ? `WITH ${contract.views.map((name) => `${name} AS (${rows(name)})`).join(', ')} ${sql}`
      : sql,
  )

/** Freedoms in what is accepted, and in which rows there are. */
export const sqlControls: Control[] = [
  {
    id: 'documented-sql-only',
    silence: 'NS-17',
    freedom: 'Nothing but the documented kinds of statement is accepted.',
    wrap: refusing((sql) => !DOCUMENTED.test(oneLine(sql))),
  },
  {
    id: 'one-date-literal',
    silence: 'NS-56',
    freedom: 'A date literal has to be a date with time and zone.',
    wrap: refusing((sql) => /> *(?!'[^']*T[^']*Z')(DATE |TIMESTAMP )?'/i.test(sql)),
  },
  {
    id: 'rows-capped',
    silence: 'NS-36',
    freedom: 'No answer has more than 100 rows.',
    wrap: onEnvelope((envelope) => ({ ...envelope, data: envelope.data.slice(0, 100) })),
  },
  {
    id: 'view-forbidden',
    silence: 'NS-21',
    freedom: 'The token may not read v_archived_records.',
    leavesGaps: true,
    wrap: refusing(
      (sql) => /\bv_archived_records\b/.test(sql),
      'permission denied for view v_archived_records',
    ),
  },
  {
    id: 'empty-database',
    freedom: 'There is nothing in it.',
    leavesGaps: true,
    wrap: views((name) => `SELECT * FROM ${name} LIMIT 0`),
  },
  {
    id: 'one-row-a-view',
    freedom: 'Every view has one row.',
    leavesGaps: true,
    wrap: views((name) => `SELECT * FROM ${name} LIMIT 1`),
  },
  {
    id: 'writers',
    freedom: 'Rows appear and change between statements.',
    moves: true,
    wrap: live({ seed: 1 }),
  },
  {
    id: 'writers-and-deletions',
    freedom: 'Rows appear, change and vanish between statements.',
    moves: true,
    wrap: live({ seed: 2, vanish: true }),
  },
]

import { describeReply, type Reply } from '../connection/http/reply.ts'
import { invalidBodies, type InvalidBody } from '../connection/requests/broken-bodies.ts'
import { isGatewayReply } from '../connection/http/says-nothing.ts'
import { unlessRefused } from '../connection/not-exercised.ts'
import { NotExercised, type Target } from '../connection/target.ts'

export const unknownView = (t: Target): Promise<Reply> => t.shared(`SELECT id FROM ${t.unknownView} LIMIT 1`)

/** A name that begins with that of a documented view, and is longer than all of them. */
export const longerUnknownView = (t: Target): string => `v_quantities_${t.unknownView}`.padEnd(40, '_x')

/** An unknown view whose name is longer than the 63 bytes that PostgreSQL reads. */
export const longUnknownView = (t: Target): string => t.unknownView.padEnd(70, '_x')

export const unknownColumn = (t: Target): Promise<Reply> =>
  t.shared('SELECT no_such_column FROM v_bioprocesses LIMIT 1')

/** No dialect accepts it. An unknown column may be null, for example in a store without a schema. */
export const UNKNOWN_FUNCTION = 'SELECT no_such_function(id) FROM v_bioprocesses LIMIT 1'

export const unknownFunction = (t: Target): Promise<Reply> => t.shared(UNKNOWN_FUNCTION)

export const divisionByZero = (t: Target): Promise<Reply> => t.shared('SELECT 1/0')

/** Statements with a syntax error in every dialect of SQL. LIMIT at the end is none: where it is no reserved word, it is an alias. */
export const syntaxErrors = {
  'a misspelled SELECT': 'SELEC id FROM v_bioprocesses',
  'a word after LIMIT': 'SELECT id FROM v_bioprocesses LIMIT 1 oops',
  'an unfinished WHERE': 'SELECT id FROM v_bioprocesses WHERE last_updated_at >',
  'a FROM without a view': 'SELECT id FROM',
  'an unbalanced quote': "SELECT id FROM v_bioprocesses WHERE last_updated_at > '1970-01-01",
  'an unbalanced parenthesis':
    'SELECT id FROM v_timeseries WHERE last_updated_at > (SELECT MAX(last_updated_at) FROM v_bioprocesses',
} as const

export const syntaxError = (t: Target): Promise<Reply> => t.shared(syntaxErrors['a misspelled SELECT'])

export const invalidJson = (t: Target, kind: InvalidBody): Promise<Reply> =>
  t.once(`invalid JSON ${kind}`, () => t.send(invalidBodies[kind]))

export const withoutStatement = (t: Target): Promise<Reply> => t.once('body {}', () => t.send('{}'))

/** The reply to a request. */
export interface SqlOutcome {
  /** Completes "the reply to …". */
  to: string
  kind: 'rows' | 'empty' | 'error'
  reply: Reply
}

/**
 * One reply of every documented kind, without replies of a gateway. A gateway may also refuse a body that is not JSON,
 * which REQ-ERR-3 covers.
 */
export async function sqlOutcomes(t: Target): Promise<SqlOutcome[]> {
  const invalid = await invalidJson(t, 'mixed-quotes')
  const empty = await unlessRefused(t.emptyDelta())
  const outcomes: SqlOutcome[] = [
    { to: 'a plain statement', kind: 'rows', reply: await t.baseline() },
    { to: 'an unknown view', kind: 'error', reply: await unknownView(t) },
    { to: 'an unknown function', kind: 'error', reply: await unknownFunction(t) },
    { to: 'a syntax error', kind: 'error', reply: await syntaxError(t) },
  ]
  if (empty) outcomes.push({ to: 'a statement without results', kind: 'empty', reply: empty })
  if (invalid.envelope) outcomes.push({ to: 'a body that is not JSON', kind: 'error', reply: invalid })
  return outcomes.filter(({ reply }) => !isGatewayReply(reply))
}

/**
 * Makes sure that a plain statement is served, before a check sends one with a single error.
 *
 * @throws NotExercised when the plain statement is refused too
 */
export async function requireControl(t: Target): Promise<void> {
  const control = await t.baseline()
  if (control.ok) return
  throw new NotExercised(`a plain statement got ${describeReply(control)}`, control.exchange)
}

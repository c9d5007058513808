import { deniesToken } from '../token-refusals.ts'
import { describeReply, type Reply } from '../reply.ts'
import { NotExercised, type Target } from '../target.ts'

/** Bodies of a valid statement that are not valid JSON. */
export const invalidBodies = {
  'single-quotes': `{'statement': 'SELECT id FROM v_bioprocesses LIMIT 1'}`,
  'mixed-quotes': `{"statement": "SELECT "id" FROM v_bioprocesses LIMIT 1"}`,
  truncated: `{"statement": "SELECT id FROM v_bioprocesses LIMIT 1"`,
} as const

export type InvalidBody = keyof typeof invalidBodies

export const unknownView = (t: Target): Promise<Reply> => t.shared(`SELECT id FROM ${t.unknownView} LIMIT 1`)

/** An unknown view whose name is longer than the 63 bytes that PostgreSQL reads. */
export const longUnknownView = (t: Target): string => t.unknownView.padEnd(70, '_x')

export const unknownColumn = (t: Target): Promise<Reply> =>
  t.shared('SELECT no_such_column FROM v_bioprocesses LIMIT 1')

/** No dialect accepts it. An unknown column may be null, for example in a store without a schema. */
export const unknownFunction = (t: Target): Promise<Reply> =>
  t.shared('SELECT no_such_function(id) FROM v_bioprocesses LIMIT 1')

export const divisionByZero = (t: Target): Promise<Reply> => t.shared('SELECT 1/0')

export const syntaxError = (t: Target): Promise<Reply> => t.shared('SELEC id FROM v_bioprocesses')

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
  const outcomes: SqlOutcome[] = [
    { to: 'a plain statement', kind: 'rows', reply: await t.baseline() },
    { to: 'a statement without results', kind: 'empty', reply: await t.emptyDelta() },
    { to: 'an unknown view', kind: 'error', reply: await unknownView(t) },
    { to: 'an unknown function', kind: 'error', reply: await unknownFunction(t) },
    { to: 'a syntax error', kind: 'error', reply: await syntaxError(t) },
  ]
  if (invalid.envelope) outcomes.push({ to: 'a body that is not JSON', kind: 'error', reply: invalid })
  return outcomes.filter(({ reply }) => !isGatewayReply(reply))
}

/**
 * Whether a gateway replied before SQL ran: because of the token, permission, load or time; without an envelope also
 * because of size or a failed upstream.
 */
export const isGatewayReply = ({ envelope, status }: Reply): boolean =>
  deniesToken(status) ||
  [403, 429, 503, 504].includes(status) ||
  (!envelope && [407, 413, 502].includes(status))

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

import { deniesToken } from '../token-refusals.ts'
import { describeReply, type Reply } from '../reply.ts'
import { NotExercised, type Target } from '../target.ts'

/** What a well-encoded body would make of a statement that runs: each of these breaks only the encoding. */
export const invalidBodies = {
  'single-quotes': `{'statement': 'SELECT id FROM v_bioprocesses LIMIT 1'}`,
  'mixed-quotes': `{"statement": "SELECT "id" FROM v_bioprocesses LIMIT 1"}`,
  truncated: `{"statement": "SELECT id FROM v_bioprocesses LIMIT 1"`,
} as const

export type InvalidBody = keyof typeof invalidBodies

export const unknownView = (t: Target): Promise<Reply> => t.shared(`SELECT id FROM ${t.unknownView} LIMIT 1`)

/** A view whose name is longer than the 63 bytes that PostgreSQL and its kin read of one. */
export const longUnknownView = (t: Target): string => t.unknownView.padEnd(70, '_x')

export const unknownColumn = (t: Target): Promise<Reply> =>
  t.shared('SELECT no_such_column FROM v_bioprocesses LIMIT 1')

export const syntaxError = (t: Target): Promise<Reply> => t.shared('SELEC id FROM v_bioprocesses')

export const invalidJson = (t: Target, kind: InvalidBody): Promise<Reply> =>
  t.once(`invalid JSON ${kind}`, () => t.send(invalidBodies[kind]))

export const withoutStatement = (t: Target): Promise<Reply> => t.once('body {}', () => t.send('{}'))

/** A reply with what it answers, as the object of a sentence. */
export interface SqlOutcome {
  to: string
  kind: 'rows' | 'empty' | 'error'
  reply: Reply
}

/**
 * One reply of every kind that the contract describes. A reply of something in front of the service is none of
 * them; a body that is not JSON may be refused before the service sees it, which is REQ-ERR-3's subject.
 */
export async function sqlOutcomes(t: Target): Promise<SqlOutcome[]> {
  const invalid = await invalidJson(t, 'mixed-quotes')
  const outcomes: SqlOutcome[] = [
    { to: 'a plain statement', kind: 'rows', reply: await t.baseline() },
    { to: 'a statement without results', kind: 'empty', reply: await t.emptyDelta() },
    { to: 'an unknown view', kind: 'error', reply: await unknownView(t) },
    { to: 'an unknown column', kind: 'error', reply: await unknownColumn(t) },
    { to: 'a syntax error', kind: 'error', reply: await syntaxError(t) },
  ]
  if (invalid.envelope) outcomes.push({ to: 'a body that is not JSON', kind: 'error', reply: invalid })
  return outcomes.filter(({ reply }) => !isGatewayReply(reply))
}

/**
 * Whether something in front of SQL answered: for want of a token or of permission, for load or time, and where
 * there is no envelope also for size or a broken gateway.
 */
export const isGatewayReply = ({ envelope, status }: Reply): boolean =>
  deniesToken(status) ||
  [403, 429, 503, 504].includes(status) ||
  (!envelope && [407, 413, 502].includes(status))

/**
 * Makes sure that a statement is served, before one like it with a single fault is judged.
 *
 * @throws NotExercised when the statement without the fault is refused as well.
 */
export async function requireControl(t: Target): Promise<void> {
  const control = await t.baseline()
  if (control.ok) return
  throw new NotExercised(
    `a plain statement without any fault was answered ${describeReply(control)}`,
    control.exchange,
  )
}

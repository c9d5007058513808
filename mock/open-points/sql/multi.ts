import { implement } from '../implement.ts'

/** How several statements in one text are treated. */
export interface SeveralStatements {
  /** The statements that run, and that the gate checks. */
  readonly taken: <T>(statements: readonly T[]) => readonly T[]
  /** Why several statements are refused. */
  readonly refusal?: string
  /** Only the last statement gives rows. */
  readonly lastOnly?: true
}

const all = <T>(statements: readonly T[]) => statements

export const severalStatements = implement<'sql.multi', SeveralStatements>('sql.multi', {
  error: { taken: all, refusal: 'The text holds several statements. Send exactly one.' },
  first: { taken: (statements) => statements.slice(0, 1) },
  last: { taken: (statements) => statements.slice(-1) },
  'all-last-result': { taken: all, lastOnly: true },
  merged: { taken: all },
})

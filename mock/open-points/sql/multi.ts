import { implement } from '../implement.ts'

/** How several statements in one text are treated. */
export interface SeveralStatements {
  /** The statements that count. */
  readonly taken: <T>(statements: readonly T[]) => readonly T[]
  /** All of them run. */
  readonly runsAll?: true
  /** Only the last statement gives rows. */
  readonly lastOnly?: true
}

const all = <T>(statements: readonly T[]) => statements

export const severalStatements = implement<'sql.multi', SeveralStatements>('sql.multi', {
  error: { taken: all },
  first: { taken: (statements) => statements.slice(0, 1) },
  last: { taken: (statements) => statements.slice(-1) },
  'all-last-result': { taken: all, runsAll: true, lastOnly: true },
  merged: { taken: all, runsAll: true },
})

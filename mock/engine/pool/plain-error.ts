import { SqlError, type SqlErrorKind, StatementRefused } from '../../statement.ts'

/** An SqlError as data: messages between threads lose the class. */
export interface PlainSqlError {
  readonly refused: boolean
  readonly kind: SqlErrorKind
  readonly message: string
  readonly sqlState: string
  readonly relation?: string
  readonly position?: number
  readonly hint?: string
}

/** Any other error becomes an SqlError of an engine that broke. */
export function plainError(error: unknown): PlainSqlError {
  if (!(error instanceof SqlError)) {
    return { refused: false, kind: 'other', message: `The engine broke: ${error}`, sqlState: 'XX000' }
  }
  const { kind, message, sqlState, relation, position, hint } = error
  const refused = error instanceof StatementRefused
  return { refused, kind, message, sqlState, ...(relation !== undefined && { relation }), position, hint }
}

export function fromPlainError(error: PlainSqlError): SqlError {
  const { refused, kind, message, sqlState, relation, position = 0, hint = '' } = error
  const Class = refused ? StatementRefused : SqlError
  return Object.assign(new Class(kind, message, sqlState, relation), { position, hint })
}

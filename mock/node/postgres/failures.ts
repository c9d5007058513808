import { EngineBusy, SqlError, StatementRefused, StatementTimeout } from '../../statement.ts'
import { ConnectionLost } from './connection.ts'
import { HostLost } from './host-lost.ts'

/** SQLSTATEs of a server that ends its connections, and of a standby that had to end a statement to go on replaying. */
const hostFailures = new Set(['57P01', '57P02', '57P03', '40001', '40P01'])

/** SQLSTATE of a statement that the server ended, here by `statement_timeout`. */
const cancelled = '57014'

/** Whether another host may answer the statement. */
export const isHostFailure = (error: unknown): boolean =>
  error instanceof HostLost ||
  error instanceof ConnectionLost ||
  (error instanceof SqlError && hostFailures.has(error.sqlState))

/** The error of a statement for the application. */
export function explainFailure(error: unknown, timeLimitMs: number): unknown {
  if (isHostFailure(error))
    return new EngineBusy('The database host was lost. Send the statement again in a moment.', {
      cause: error,
    })
  if (error instanceof SqlError && error.sqlState === cancelled) return new StatementTimeout(timeLimitMs)
  return error
}

/** The refusal of what a database that others use cannot do. */
export const refused = (what: string): StatementRefused =>
  new StatementRefused(
    'other',
    `${what}, because others may use the database too. Start the server without --database.`,
    '0A000',
  )

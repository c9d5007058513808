import { EngineBusy, refused, SqlError, type StatementRefused } from '../../../statement.ts'
import { ConnectionLost } from './connection.ts'
import { RunAgain } from '../errors.ts'

/** SQLSTATEs of a server that ends its connections, and of a standby that had to end a statement to go on replaying. */
const hostFailures = new Set(['57P01', '57P02', '57P03', '40001', '40P01'])

/** Whether the statement may run again: another host may answer it. */
export const isHostFailure = (error: unknown): boolean =>
  error instanceof ConnectionLost || (error instanceof SqlError && hostFailures.has(error.sqlState))

/**
 * The error of a statement for the application. A statement that somebody else cancelled (SQLSTATE 57014) is an error of the
 * database like any other: the time limit is measured here.
 */
export function explainFailure(error: unknown): unknown {
  if (error instanceof RunAgain)
    return new EngineBusy(`${error.message} Send the statement again in a moment.`, { cause: error })
  if (isHostFailure(error))
    return new EngineBusy('The database host was lost. Send the statement again in a moment.', {
      cause: error,
    })
  return error
}

/** The error of a statement that got no connection. @param cause why none can be opened, for the log */
export const unusable = (cause: unknown): EngineBusy =>
  new EngineBusy(
    'The database cannot be used now. The log of the server says why. Send the statement again in a moment.',
    { cause },
  )

/** The refusal of what a database that others use cannot do. */
export const impossible = (what: string): StatementRefused =>
  refused(`${what}, because others may use the database too. Start the server without --database.`)

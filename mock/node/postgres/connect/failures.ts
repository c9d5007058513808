import { EngineBusy, refused, SqlError, type StatementRefused } from '../../../statement.ts'
import { ConnectionLost } from './connection.ts'

/** SQLSTATEs of a server that ends its connections, and of a statement whose rows or views changed while it ran. */
const hostFailures = new Set(['57P01', '57P02', '57P03', '40001', '40P01'])

/** Whether the statement may run again: another host may answer it. */
export const isHostFailure = (error: unknown): boolean =>
  error instanceof ConnectionLost || (error instanceof SqlError && hostFailures.has(error.sqlState))

/** A statement whose views are replaced while it runs. */
export const viewsReplaced = (): SqlError => new SqlError('other', 'The views are being replaced.', '40001')

/**
 * The error of a statement for the application. A statement that somebody else cancelled (SQLSTATE 57014) is an error of the
 * database like any other: the time limit is measured here.
 */
export const explainFailure = (error: unknown): unknown =>
  isHostFailure(error)
    ? new EngineBusy('The database host was lost. Send the statement again in a moment.', { cause: error })
    : error

/** The error of a statement that got no connection. @param cause why none can be opened, for the log */
export const unusable = (cause: unknown): EngineBusy =>
  new EngineBusy(
    'The database cannot be used now. The log of the server says why. Send the statement again in a moment.',
    { cause },
  )

/** The refusal of what a database that others use cannot do. */
export const impossible = (what: string): StatementRefused =>
  refused(`${what}, because others may use the database too. Start the server without --database.`)

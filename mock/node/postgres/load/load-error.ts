import { DatabaseError } from '../errors.ts'

/** Remedies for errors while a plant is loaded, by SQLSTATE. */
const remedies: Readonly<Record<string, string>> = {
  '53100': 'The disk of the server is full. Make room there',
  '53200': 'The server is out of memory. Give it more',
  '57P01': 'The server was shut down. Start it',
  '57P02': 'The server crashed. Start it',
  '57P03': 'The server is starting or shutting down. Wait a moment',
  '25006': 'The host is a standby, or the role may only read. Name the primary and its owner in --database',
  '2BP01': 'Others made something that depends on the plant. Drop it',
  '55P03': 'Others hold locks on the plant. End their transactions, which pg_stat_activity lists',
  '42501': 'The role lacks a right. Grant it CREATE on the database and on the schema',
}

/** A sentence that says what stopped the load and what to do. Nothing is loaded then. */
export function explainLoadError(error: unknown): Error {
  if (error instanceof DatabaseError) return error
  const { code = '', message, detail } = error as Error & { code?: string; detail?: string }
  const isLost = /terminated|ECONNRESET|ECONNREFUSED|EPIPE|closed|connection error|malformed/.test(
    `${code} ${message}`,
  )
  // a SQLSTATE has five characters
  if (!isLost && !/^[0-9A-Z]{5}$/.test(code)) return error as Error
  const remedy =
    remedies[code] ??
    (isLost
      ? 'The host was lost. Wait until it is back'
      : 'The database refused a statement. Remove the reason that it gives')
  const said = detail ? `${message} (${detail})` : message
  return new DatabaseError(`${remedy}, and run the same command again. Nothing was loaded: ${said}.`, {
    cause: error,
  })
}

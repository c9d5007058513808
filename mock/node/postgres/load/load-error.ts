import { DatabaseError } from '../errors.ts'

/** Remedies for errors while a plant is loaded, by SQLSTATE. */
const remedies: Readonly<Record<string, string>> = {
  '53100': 'The disk of the server is full. Make room there',
  '53200': 'The server is out of memory. Give it more',
  '57P01': 'The server was shut down. Start it',
  '57P02': 'The server crashed. Start it',
  '57P03': 'The server is starting or shutting down. Wait a moment',
  '25006': 'The host is a standby, or the role may only read. Name the primary and its owner in --database',
  '23505': 'Another load ended while this one waited for it. Drop its plant, or name another --schema',
  '42501': 'The role lacks a right. Grant it CREATE on the database and on the schema',
  '42P06': 'There is a plant already. Drop that schema with CASCADE, or name another --schema',
  '42P07': 'There is a view of that name already. Drop it, or name another --schema',
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

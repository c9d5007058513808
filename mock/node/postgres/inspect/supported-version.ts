import { DatabaseError } from '../errors.ts'

/** Supported versions of PostgreSQL. */
const [oldest, newest] = [15, 18]

/** The major version of the server, as SQL. */
export const versionSql = `current_setting('server_version_num')::int / 10000`

/** @throws DatabaseError for a version that is not supported */
export function refuseVersion(host: string, version: number): void {
  if (version >= oldest && version <= newest) return
  throw new DatabaseError(
    `The database at ${host} is PostgreSQL ${version}. Use a version from ${oldest} to ${newest}.`,
  )
}

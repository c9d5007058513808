import pg from 'pg'
import { parseDatabaseUrl } from '../address.ts'
import { DatabaseError } from '../database-error.ts'
import { explainConnectError } from '../explain-error.ts'
import { refuseVersion, versionSql } from '../supported-version.ts'

/**
 * Connects to the first host that is no standby.
 *
 * @param options of the connection, beside those of the URL
 * @throws DatabaseUrlError; DatabaseError if there is none
 */
export async function connectPrimary(
  url: string,
  options: pg.ClientConfig = {},
): Promise<{ readonly client: pg.Client; readonly config: pg.ClientConfig }> {
  const { hosts } = parseDatabaseUrl(url)
  let failure: string | undefined
  for (const { name, config } of hosts) {
    const client = new pg.Client({ ...config, ...options })
    client.on('error', () => {})
    try {
      await client.connect()
      await client.query(`SET timezone = 'UTC'`)
      const { rows } = await client.query<{ version: number; standby: boolean }>(
        `SELECT ${versionSql} AS version, pg_is_in_recovery() AS standby`,
      )
      const { version, standby } = rows[0]!
      refuseVersion(name, Number(version))
      if (!standby) return { client, config }
      failure ??= `The database at ${name} is a standby, which nobody can write to. Name the primary too.`
    } catch (error) {
      failure = explainConnectError(name, error)
    }
    await client.end().catch(() => {})
  }
  throw new DatabaseError(failure!)
}

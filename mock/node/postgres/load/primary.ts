import pg from 'pg'
import { parseDatabaseUrl } from '../address.ts'
import { DatabaseError } from '../database-error.ts'
import { explainConnectError } from '../explain-error.ts'

/**
 * Connects to the first host that is no standby.
 *
 * @throws DatabaseUrlError; DatabaseError if there is none
 */
export async function connectPrimary(
  url: string,
): Promise<{ readonly client: pg.Client; readonly config: pg.ClientConfig }> {
  const { hosts } = parseDatabaseUrl(url)
  let failure: string | undefined
  for (const { name, config } of hosts) {
    const client = new pg.Client(config)
    client.on('error', () => {})
    try {
      await client.connect()
      await client.query(`SET timezone = 'UTC'`)
      const { rows } = await client.query<{ standby: boolean }>('SELECT pg_is_in_recovery() AS standby')
      if (!rows[0]!.standby) return { client, config }
      failure ??= `The database at ${name} is a standby, which nobody can write to. Name the primary too.`
    } catch (error) {
      failure = explainConnectError(name, error)
    }
    await client.end().catch(() => {})
  }
  throw new DatabaseError(failure!)
}

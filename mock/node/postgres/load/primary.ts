import type pg from 'pg'
import { parseDatabaseUrl } from '../connect/address.ts'
import { connectToFirst } from '../connect/connect.ts'
import { DatabaseError } from '../errors.ts'
import { refuseVersion, versionSql } from '../inspect/supported-version.ts'

/** Begins a transaction without the time limits that the role may have. A pooler gives each transaction another connection. */
const begin = `BEGIN; SET LOCAL search_path = pg_catalog, pg_temp; SET LOCAL timezone = 'UTC';
  SELECT set_config(name, '0', true) FROM pg_settings
  WHERE name IN ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`

/**
 * Begins a transaction on the first host that is no standby. Functions, operators and types are those of PostgreSQL: the role
 * may own the database, and others may create in it.
 *
 * @returns a connection, and `host:port`
 * @throws DatabaseOptionError; DatabaseError if there is none
 */
export async function connectPrimary(url: string): Promise<{ client: pg.Client; host: string }> {
  const { client, address } = await connectToFirst(parseDatabaseUrl(url), async (client, host) => {
    await client.query(begin)
    const { rows } = await client.query<{ version: number; standby: string }>(
      `SELECT ${versionSql} AS version, current_setting('in_hot_standby') AS standby`,
    )
    const { version, standby } = rows[0]!
    refuseVersion(host, Number(version))
    if (standby === 'on')
      throw new DatabaseError(
        `The database at ${host} is a standby, which nobody can write to. Name the primary too.`,
      )
  })
  return { client, host: address.name }
}

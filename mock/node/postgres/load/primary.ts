import type pg from 'pg'
import { parseDatabaseUrl } from '../connect/address.ts'
import { connect, destroy } from '../connect/connect.ts'
import { DatabaseError, explainConnectError } from '../errors.ts'
import { refuseVersion, versionSql } from '../inspect/supported-version.ts'

export interface Primary {
  readonly client: pg.Client
  /** `host:port` */
  readonly host: string
}

/** Begins a transaction without the time limits that the role may have. A pooler gives each transaction another connection. */
const begin = `BEGIN; SET LOCAL search_path = pg_catalog, pg_temp; SET LOCAL timezone = 'UTC';
  SELECT set_config(name, '0', true) FROM pg_settings
  WHERE name IN ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`

/**
 * Begins a transaction on the first host that is no standby. Functions, operators and types are those of PostgreSQL: the role
 * may own the database, and others may create in it.
 *
 * @throws DatabaseOptionError; DatabaseError if there is none
 */
export async function connectPrimary(url: string): Promise<Primary> {
  let failure: string | undefined
  for (const address of parseDatabaseUrl(url)) {
    const host = address.name
    let client: pg.Client | undefined
    try {
      client = await connect(address)
      await client.query(begin)
      const { rows } = await client.query<{ version: number; standby: boolean }>(
        `SELECT ${versionSql} AS version, pg_is_in_recovery() AS standby`,
      )
      const { version, standby } = rows[0]!
      refuseVersion(host, Number(version))
      if (!standby) return { client, host }
      failure ??= `The database at ${host} is a standby, which nobody can write to. Name the primary too.`
    } catch (error) {
      failure = explainConnectError(host, error)
    }
    if (client) destroy(client)
  }
  throw new DatabaseError(failure!)
}

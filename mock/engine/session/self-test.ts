import { PLAIN_VIEW } from '../../../schemas/views.ts'
import type { Session } from './session.ts'

/**
 * Statements that the rights and the transaction have to deny by themselves: writes, reads outside the views, and functions that run
 * SQL from a text, change a setting or outlive the transaction.
 */
const forbidden = [
  `INSERT INTO public.${PLAIN_VIEW} (id) VALUES ('x')`,
  'DELETE FROM plant.timeseries_data',
  'CREATE TABLE public.mine ()',
  'CREATE TEMPORARY TABLE mine ()',
  'SELECT * FROM plant.experiments',
  'SELECT * FROM pg_catalog.pg_authid',
  'SELECT * FROM information_schema.tables',
  "SELECT set_config('role', 'postgres', true)",
  "SELECT query_to_xml('SELECT 1', true, true, '')",
  "SELECT pg_read_file('PG_VERSION')",
  'SELECT lo_create(0)',
  'SELECT pg_advisory_lock(1)',
  'SET ROLE postgres',
]

/** Fails with a division by zero in any other time zone. */
const timeZoneIsUtc = 'SELECT 1 / (extract(timezone FROM now()) = 0)::int'

/** insufficient_privilege, read_only_sql_transaction */
const denials = new Set(['42501', '25006'])

/**
 * Proves on a running session that statements can only read the views. The rights are data in the snapshot and the
 * transaction is a matter of the code: both could be lost without any statement failing.
 *
 * @throws Error that names the statement that was not denied
 */
export async function selfTest(session: Session): Promise<void> {
  for (const statement of forbidden) {
    const sqlState = await session.attempt(statement)
    if (sqlState === undefined || !denials.has(sqlState)) {
      throw new Error(
        `The engine refuses to serve: "${statement}" was not denied (${sqlState ?? 'success'}). ` +
          'Delete the snapshot cache and start again.',
      )
    }
  }
  await session.attempt("SET timezone = 'Asia/Tokyo'")
  const survived = await session.attempt(timeZoneIsUtc)
  if (survived !== undefined)
    throw new Error(`The engine refuses to serve: a setting survived its transaction (${survived}).`)
  const failure = await session.attempt(`SELECT count(*) FROM ${PLAIN_VIEW}`)
  if (failure !== undefined)
    throw new Error(
      `The engine cannot read its views (${failure}). Delete the snapshot cache and start again.`,
    )
}

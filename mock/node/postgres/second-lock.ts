import { HostUnfit } from './host-unfit.ts'
import type { Watched } from './host-watch.ts'

/** Something that the database denies without the gate, and statements that try it. */
interface Promised {
  readonly promise: string
  /** Without it, a host does not serve. */
  readonly isRequired?: true
  readonly attempts: readonly string[]
}

/**
 * The second of two locks. On a server of one's own the rights of everybody could be revoked, as in the embedded engine; a
 * service that others operate lets nobody change its catalogues, so all but the first depend on the server.
 */
const promised: readonly Promised[] = [
  {
    promise: 'write rows or create tables',
    isRequired: true,
    attempts: [
      "INSERT INTO v_archived_records VALUES ('x', 'x', now())",
      'DELETE FROM v_experiments',
      'CREATE TABLE mine ()',
      'CREATE TEMPORARY TABLE mine ()',
    ],
  },
  {
    promise: 'read files and secrets of the server',
    isRequired: true,
    attempts: ['SELECT 1 FROM pg_catalog.pg_authid', "SELECT pg_read_file('PG_VERSION')"],
  },
  { promise: 'read the catalogues', attempts: ['SELECT 1 FROM pg_catalog.pg_class LIMIT 1'] },
  {
    promise: 'change settings',
    attempts: ["SELECT set_config('work_mem', '64kB', true)"],
  },
  {
    promise: 'run SQL from a text',
    attempts: ["SELECT query_to_xml('SELECT 1', true, true, '')"],
  },
  { promise: 'take locks', attempts: ['SELECT pg_advisory_xact_lock_shared(1)'] },
]

/**
 * insufficient_privilege, read_only_sql_transaction, feature_not_supported, such as a lock on a standby, and
 * object_not_in_prerequisite_state: a view over several tables takes no rows
 */
const denials = new Set(['42501', '25006', '0A000', '55000'])

/**
 * Tries what the gate would refuse, each in the transaction of a statement, and says what the database denies.
 *
 * @param begin begins such a transaction
 * @throws HostUnfit if a statement could write
 */
export async function testSecondLock(
  name: string,
  query: Watched,
  begin: string,
): Promise<readonly string[]> {
  const [held, open]: [string[], string[]] = [[], []]
  for (const { promise, isRequired, attempts } of promised) {
    const passed: string[] = []
    for (const attempt of attempts) if (!(await isDenied(query, begin, attempt))) passed.push(attempt)
    if (passed.length > 0 && isRequired)
      throw new HostUnfit(
        `The database at ${name} does not deny "${passed[0]}". Use a role that may only SELECT from the views, such as the one that \`fixtures load\` creates.`,
      )
    ;(passed.length > 0 ? open : held).push(promise)
  }
  const { others, writable } = await reachableTables(query)
  ;(others > 0 ? open : held).push('read other tables')
  ;(writable > 0 ? open : held).push('write outside of a read-only transaction')
  return [
    `At ${name}, the rights of the role deny to ${held.join(', ')}.`,
    ...(open.length > 0
      ? [`Only the gate keeps statements from what the rights there permit: to ${open.join(', ')}.`]
      : []),
  ]
}

async function isDenied(query: Watched, begin: string, attempt: string): Promise<boolean> {
  await query(begin)
  try {
    await query(attempt)
    return false
  } catch (error) {
    return denials.has((error as { code?: string }).code ?? '')
  } finally {
    await query('ROLLBACK')
  }
}

/** The number of tables outside of the catalogues that the role may read, beside the views, and that it may write. */
async function reachableTables(query: Watched): Promise<{ others: number; writable: number }> {
  const [[others, writable] = []] = await query(
    `SELECT count(*) FILTER (WHERE c.relname NOT LIKE 'v\\_%' AND has_table_privilege(c.oid, 'SELECT'))::int,
       count(*) FILTER (WHERE has_table_privilege(c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE'))::int
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname NOT IN ('pg_catalog', 'information_schema')
       AND n.nspname NOT LIKE 'pg\\_toast%' AND has_schema_privilege(n.oid, 'USAGE')`,
  )
  return { others: Number(others), writable: Number(writable) }
}

import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { views } from '../../../../schemas/views.ts'
import { DatabaseError } from '../errors.ts'
import type { Layout } from './layout.ts'

const viewNames: readonly string[] = views.map(({ name }) => name)
const tableNames: readonly string[] = [...views.map(({ table }) => table), 'load_state']

/**
 * Refuses to replace a plant together with what others made: in the schema of its tables, or as a part of something that
 * depends on its tables or views. Indexes, triggers and the like belong to their table.
 *
 * @throws DatabaseError that names the first of these
 */
export async function refuseForeign(client: pg.Client, { views: schema, tables }: Layout): Promise<void> {
  const { rows } = await client.query<{ name: string; inside: boolean }>(
    `WITH plant AS (SELECT c.* FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE (n.nspname = $1 AND c.relname = ANY($2)) OR (n.nspname = $3 AND c.relname = ANY($4))),
     ours AS (SELECT 'pg_class'::regclass AS classid, oid FROM plant UNION ALL SELECT 'pg_type'::regclass, reltype FROM plant
       UNION ALL SELECT 'pg_namespace'::regclass, oid FROM pg_namespace WHERE nspname = $1)
     SELECT CASE WHEN w.oid IS NULL THEN pg_describe_object(d.classid, d.objid, 0)
         ELSE pg_describe_object('pg_class'::regclass, w.ev_class, 0) END AS name,
       d.refclassid = 'pg_namespace'::regclass AS inside
     FROM pg_depend d JOIN ours ON (ours.classid, ours.oid) = (d.refclassid, d.refobjid)
       LEFT JOIN pg_rewrite w ON d.classid = 'pg_rewrite'::regclass AND w.oid = d.objid
     WHERE d.deptype = 'n' AND NOT EXISTS (SELECT FROM ours
       WHERE (ours.classid, ours.oid) = (d.classid, d.objid) OR (ours.classid, ours.oid) = ('pg_class'::regclass, w.ev_class))
     ORDER BY inside DESC, name LIMIT 1`,
    [tables, tableNames, schema, viewNames],
  )
  const [found] = rows
  if (found)
    throw new DatabaseError(
      `--restart would drop ${found.name}, which \`fixtures load\` did not make. ${found.inside ? `Move it out of the schema ${tables}` : 'Change it so that it does not depend on the plant'}, or drop it, or name another --schema.`,
    )
}

/** Statements that grant again what roles may do with the views: a view that is dropped loses it. */
export async function grantsOnViews(client: pg.Client, { views: schema }: Layout): Promise<string[]> {
  const { rows } = await client.query<{ statement: string }>(
    `SELECT format('GRANT %s%s ON %I.%I TO %s%s', privilege_type, columns, nspname, relname,
       CASE grantee WHEN 0 THEN 'PUBLIC' ELSE grantee::regrole::text END, CASE WHEN is_grantable THEN ' WITH GRANT OPTION' END) AS statement
     FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace,
       LATERAL (SELECT '' AS columns, relacl AS acl UNION ALL
         SELECT format(' (%I)', attname), attacl FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0) acls, aclexplode(acl)
     WHERE nspname = $1 AND relname = ANY($2) AND grantee <> relowner`,
    [schema, viewNames],
  )
  return rows.map(({ statement }) => statement)
}

/** Statements that drop a plant whose tables were moved, and fail rather than drop anything else. */
export const drops = ({ sql }: Layout): readonly string[] => [
  `DROP VIEW IF EXISTS ${viewNames.map((name) => `${sql.views}.${name}`).join(', ')}`,
  `DROP TABLE IF EXISTS ${tableNames.map((name) => `${sql.before}.${name}`).join(', ')}`,
  `DROP SCHEMA ${sql.before}`,
]

/** How long a try waits for each lock, in milliseconds. The last ones outlast `deadlock_timeout` (1 s), when autovacuum gives way. */
const [firstWaitMs, lastWaitMs] = [200, 1_600]

/** SQLSTATEs of a lock that was not granted: the time was up, or its owner waits for the load too. */
const notGranted = new Set(['55P03', '40P01'])

export interface SwapOptions {
  /** A try that fails after this time is the last one, in milliseconds. Default: five minutes. */
  readonly patienceMs?: number
  readonly signal?: AbortSignal
}

/**
 * Runs the statements that need exclusive locks, at the end of a transaction. While one of them waits for a lock, every new
 * statement of others on that relation waits behind it: so it gives up soon, lets them pass and tries again. What the transaction
 * did before stays.
 *
 * @throws the error of `pg`, of SQLSTATE 55P03 or 40P01 if others hold a lock for all that time; the reason of the signal
 */
export async function swap(
  client: pg.Client,
  statements: readonly string[],
  { patienceMs = 300_000, signal }: SwapOptions,
): Promise<void> {
  const end = performance.now() + patienceMs
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(2 * waitMs, lastWaitMs)) {
    try {
      // one message: others wait for no round trips
      await client.query(['SAVEPOINT swap', `SET LOCAL lock_timeout = ${waitMs}`, ...statements].join('; '))
      return
    } catch (error) {
      if (!notGranted.has((error as { code?: string }).code ?? '') || performance.now() > end) throw error
    }
    await client.query('ROLLBACK TO swap; RELEASE swap')
    await sleep(4 * waitMs, undefined, { signal }).catch(() => {})
    signal?.throwIfAborted()
  }
}

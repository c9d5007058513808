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

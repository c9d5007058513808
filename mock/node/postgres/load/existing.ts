import type pg from 'pg'
import { views } from '../../../../schemas/views.ts'
import { DatabaseError } from '../errors.ts'
import type { Layout } from './layout.ts'

/**
 * The key of the plant that is loaded; undefined if there is none.
 *
 * @throws DatabaseError if others made the schema of the tables
 */
export async function loadedKey(client: pg.Client, { tables, sql }: Layout): Promise<string | undefined> {
  const { rows } = await client.query<{ exists: boolean; ours: boolean }>(
    `SELECT to_regnamespace($1) IS NOT NULL AS exists, to_regclass($2) IS NOT NULL AS ours`,
    [sql.tables, `${sql.tables}.load_state`],
  )
  const { exists, ours } = rows[0]!
  if (!exists) return undefined
  if (!ours)
    throw new DatabaseError(
      `The schema ${tables} exists and is not one that \`fixtures load\` made. Name another --schema.`,
    )
  const state = await client.query<{ key: string }>(`SELECT key FROM ${sql.tables}.load_state`)
  return state.rows[0]?.key ?? ''
}

/** @throws DatabaseError if the database has tables that are not those of a plant */
export async function refuseOthers(client: pg.Client, { views: schema, tables }: Layout): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT format('%s.%s', n.nspname, c.relname) AS name
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname <> 'information_schema'
       AND n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> $1
       AND NOT (n.nspname = $2 AND c.relkind = 'v' AND c.relname LIKE 'v\\_%')
       AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
     ORDER BY 1 LIMIT 1`,
    [tables, schema],
  )
  if (rows.length > 0)
    throw new DatabaseError(
      `The database has other tables, such as ${rows[0]!.name}. Say where the plant goes with --schema, or name another database.`,
    )
}

/** @throws DatabaseError if there are views already that the load would have to create, and that do not read its tables */
export async function refuseViews(client: pg.Client, { views: schema, sql }: Layout): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = $1 AND c.relname = ANY($2) AND NOT EXISTS (
       SELECT FROM pg_rewrite w JOIN pg_depend d ON (d.classid, d.objid) = ('pg_rewrite'::regclass, w.oid)
         JOIN pg_class t ON (d.refclassid, d.refobjid) = ('pg_class'::regclass, t.oid)
       WHERE w.ev_class = c.oid AND t.relnamespace = to_regnamespace($3))`,
    [schema, views.map(({ name }) => name), sql.tables],
  )
  if (rows.length > 0)
    throw new DatabaseError(
      `The schema ${schema} has ${rows[0]!.name} already, which \`fixtures load\` did not make. Name another --schema.`,
    )
}

/** @throws DatabaseError if the load may not create views */
export async function refuseRights(client: pg.Client, { views: schema }: Layout): Promise<void> {
  const rights = await client.query<{ may: boolean | null }>(
    `SELECT has_schema_privilege(to_regnamespace($1)::oid, 'CREATE') AS may`,
    [schema],
  )
  if (rights.rows[0]!.may === false)
    throw new DatabaseError(
      `The role ${client.user} may not create views in the schema ${schema}. Run: GRANT CREATE ON SCHEMA ${schema} TO ${client.user}; or name another --schema.`,
    )
}

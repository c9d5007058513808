import type pg from 'pg'
import { views } from '../../../../schemas/views.ts'
import { DatabaseError } from '../database-error.ts'
import type { Layout } from './layout.ts'

/** What a database says about the plant in it. */
export interface LoadState {
  /** The dataset as JSON. */
  readonly key: string
  readonly complete: boolean
  /** The time that the plant has reached, ISO 8601: a live plant advances. */
  readonly reached: string
}

/** Reads the state of a load; undefined if there is none. @throws DatabaseError if others made the schema of the tables */
export async function readState(client: pg.Client, { tables, sql }: Layout): Promise<LoadState | undefined> {
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
  const state = await client.query<LoadState>(
    `SELECT key, complete, to_char(reached, 'YYYY-MM-DD"T"HH24:MI:SS.USOF') AS reached FROM ${sql.tables}.load_state`,
  )
  return state.rows[0]
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

/** @throws DatabaseError if there are views already that the load would have to create, or it may not create them */
export async function refuseViews(client: pg.Client, { views: schema }: Layout): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = $1 AND c.relname = ANY($2)`,
    [schema, views.map(({ name }) => name)],
  )
  if (rows.length > 0)
    throw new DatabaseError(
      `The schema ${schema} has ${rows[0]!.name} already, which \`fixtures load\` did not make. Name another --schema.`,
    )
  const rights = await client.query<{ may: boolean | null }>(
    `SELECT has_schema_privilege(to_regnamespace($1)::oid, 'CREATE') AS may`,
    [schema],
  )
  if (rights.rows[0]!.may === false)
    throw new DatabaseError(
      `The role ${client.user} may not create views in the schema ${schema}. Run: GRANT CREATE ON SCHEMA ${schema} TO ${client.user}; or name another --schema.`,
    )
}

/** Creates the tables and an empty state, all or nothing. */
export async function createTables(
  client: pg.Client,
  { views: schema, sql, createTables }: Layout,
  key: string,
  asOf: string,
): Promise<void> {
  const statements = [
    ...(schema === 'public' ? [] : [`CREATE SCHEMA IF NOT EXISTS ${sql.views}`]),
    `CREATE SCHEMA ${sql.tables}`,
    ...createTables,
    `CREATE TABLE ${sql.tables}.load_parts (part int PRIMARY KEY)`,
    `CREATE TABLE ${sql.tables}.load_state (key text NOT NULL, complete boolean NOT NULL, reached timestamptz NOT NULL)`,
  ]
  await inTransaction(client, async () => {
    for (const statement of statements) await client.query(statement)
    await client.query(`INSERT INTO ${sql.tables}.load_state VALUES ($1, false, $2)`, [key, asOf])
  })
}

/** Deletes a plant that this package loaded. */
export async function dropPlant(client: pg.Client, { sql }: Layout): Promise<void> {
  await client.query(`DROP SCHEMA ${sql.tables} CASCADE`)
}

/** The parts that are loaded. */
export async function loadedParts(client: pg.Client, { sql }: Layout): Promise<Set<number>> {
  const { rows } = await client.query<{ part: number }>(`SELECT part FROM ${sql.tables}.load_parts`)
  return new Set(rows.map(({ part }) => part))
}

export async function inTransaction(client: pg.Client, work: () => Promise<void>): Promise<void> {
  await client.query('BEGIN')
  try {
    await work()
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {})
    throw error
  }
}

/** The number of rows of a table, and a sum that does not depend on their order. */
export async function checksum(
  client: pg.Client,
  table: string,
): Promise<{ readonly rows: number; readonly sum: string }> {
  const { rows } = await client.query<{ rows: number; sum: string }>(
    `SELECT count(*)::float8 AS rows, coalesce(sum(hashtextextended(t::text, 0)), 0)::text AS sum FROM ${table} t`,
  )
  return rows[0]!
}

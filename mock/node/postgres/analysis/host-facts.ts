import type pg from 'pg'
import { views } from '../../../../schemas/views.ts'
import { mayCall } from '../../../engine/snapshot/lockdown.ts'
import { readerRole, sharedSchema } from '../../../engine/views/roles.ts'
import type { ChangeStep } from '../../../engine/views/change.ts'

/** What the analysis of statements has to know of a host: its views, and the functions that statements may not call there. */
export interface HostFacts {
  /** The schema of the views, quoted for SQL. */
  readonly schema: string
  /** For each view its columns as SQL: name and type, both quoted. Types of others than PostgreSQL are those of their texts. */
  readonly views: Readonly<Record<string, readonly string[]>>
  /** The functions of PostgreSQL that the rule refuses there, as `name(types)`, and the names of those that an extension put beside them. */
  readonly refused: readonly string[]
  /** The collations of PostgreSQL there: those of languages depend on how it was built. */
  readonly collations: readonly string[]
}

const columnsSql = `SELECT quote_ident($1) AS schema, c.relname::text AS view, array_agg(format('NULL::%s AS %I',
    CASE WHEN base.oid < 16384 AND base.typnamespace = 'pg_catalog'::regnamespace THEN format_type(base.oid, NULL) ELSE 'text' END, a.attname)
    ORDER BY a.attnum) AS columns
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid
    CROSS JOIN LATERAL (WITH RECURSIVE types AS (SELECT * FROM pg_type t WHERE t.oid = a.atttypid
      UNION ALL SELECT t.* FROM types JOIN pg_type t ON t.oid = types.typbasetype)
      SELECT oid, typnamespace FROM types WHERE typbasetype = 0) base
  WHERE n.nspname = $1 AND c.relname = ANY($2) AND a.attnum > 0 AND NOT a.attisdropped
  GROUP BY c.relname ORDER BY c.relname`

const refusedSql = `SELECT CASE WHEN p.oid < 16384 THEN p.oid::regprocedure::text ELSE quote_ident(p.proname) END AS name FROM pg_proc AS p
  WHERE p.pronamespace = 'pg_catalog'::regnamespace AND (p.oid >= 16384 OR NOT (${mayCall})) ORDER BY 1`

const collationsSql = `SELECT collname::text AS name FROM pg_collation
  WHERE collnamespace = 'pg_catalog'::regnamespace AND collencoding IN (-1, pg_char_to_encoding('UTF8')) AND collname ~ '^[\\w-]+$' ORDER BY 1`

/** Asks a host for its facts, over a connection whose search path is that of PostgreSQL. */
export async function factsOf(client: pg.Client, schema: string): Promise<HostFacts> {
  const { rows } = await client.query<{ schema: string; view: string; columns: string[] }>(columnsSql, [
    schema,
    views.map(({ name }) => name),
  ])
  const namesOf = async (sql: string) =>
    (await client.query<{ name: string }>(sql)).rows.map(({ name }) => name)
  return {
    schema: rows[0]?.schema ?? schema,
    views: Object.fromEntries(rows.map(({ view, columns }) => [view, columns])),
    refused: await namesOf(refusedSql),
    collations: await namesOf(collationsSql),
  }
}

/** The steps that give the database of the analysis the empty views of a host, in a schema of the same name. */
export function stepsOf({ schema, views: columns, refused, collations }: HostFacts): ChangeStep[] {
  const sql = [
    ...views.map(({ name }) => `DROP VIEW public.${name}`),
    `DROP SCHEMA ${sharedSchema} CASCADE`,
    `REVOKE USAGE ON SCHEMA public FROM ${readerRole}`,
    `CREATE SCHEMA IF NOT EXISTS ${schema}`,
    `GRANT USAGE ON SCHEMA ${schema} TO ${readerRole}`,
    ...Object.entries(columns).flatMap(([name, all]) => [
      `CREATE TABLE plant.of_${name} AS SELECT ${all.join(', ')} LIMIT 0`,
      `CREATE VIEW ${schema}.${name} AS TABLE plant.of_${name}`,
    ]),
    `GRANT SELECT ON ALL TABLES IN SCHEMA ${schema} TO ${readerRole}`,
    // nothing is compared here: only the names matter
    `DO $$BEGIN ${collations.map((name) => `CREATE COLLATION IF NOT EXISTS pg_catalog."${name}" FROM "C"`).join('; ')}; END$$`,
    'CREATE TABLE plant.host (schema text, refused json)',
  ]
  return [
    ...sql.map((one) => ({ sql: one })),
    { sql: 'INSERT INTO plant.host VALUES ($1, $2)', params: [schema, JSON.stringify(refused)] },
  ]
}

import type pg from 'pg'
import { DatabaseError } from '../errors.ts'
import { defaultSchema } from '../options.ts'

/** What a name in a statement could mean in a schema besides a view. The rows of a view have a type, and its arrays another one. */
const foreignSql = `SELECT pg_describe_object(o.classid, o.oid, 0) FROM pg_namespace n, LATERAL (
    SELECT 'pg_proc'::regclass AS classid, oid FROM pg_proc WHERE pronamespace = n.oid
    UNION ALL SELECT 'pg_operator'::regclass, oid FROM pg_operator WHERE oprnamespace = n.oid
    UNION ALL SELECT 'pg_collation'::regclass, oid FROM pg_collation WHERE collnamespace = n.oid
    UNION ALL SELECT 'pg_conversion'::regclass, oid FROM pg_conversion WHERE connamespace = n.oid
    UNION ALL SELECT 'pg_type'::regclass, t.oid FROM pg_type t WHERE typnamespace = n.oid AND typtype <> 'c'
      AND NOT EXISTS (SELECT FROM pg_type row WHERE row.typarray = t.oid AND row.typtype = 'c')) o
  WHERE n.nspname = $1 LIMIT 1`

/** What a superuser has added to PostgreSQL's own functions, operators and casts under their names. */
const changedSql = `SELECT pg_describe_object(o.classid, o.oid, 0) FROM (
    SELECT 'pg_cast'::regclass AS classid, oid FROM pg_cast
      WHERE oid >= 16384 AND castsource < 16384 AND casttarget < 16384
    UNION ALL SELECT 'pg_proc'::regclass, oid FROM pg_proc p WHERE oid >= 16384 AND pronamespace = 'pg_catalog'::regnamespace
      AND EXISTS (SELECT FROM pg_proc own WHERE own.oid < 16384 AND (own.proname, own.pronamespace) = (p.proname, p.pronamespace))
    UNION ALL SELECT 'pg_operator'::regclass, oid FROM pg_operator WHERE oid >= 16384 AND oprnamespace = 'pg_catalog'::regnamespace) o
  LIMIT 1`

/** Who else may create in a schema. Its owner and superusers decide what the views are. */
const creatorsSql = `SELECT format('REVOKE CREATE ON SCHEMA %I FROM %s', nspname, CASE grantee WHEN 0 THEN 'PUBLIC' ELSE grantee::regrole::text END)
  FROM pg_namespace, aclexplode(nspacl)
  WHERE nspname = $1 AND privilege_type = 'CREATE' AND grantee <> nspowner
    AND NOT EXISTS (SELECT FROM pg_roles WHERE oid = grantee AND rolsuper) LIMIT 1`

/**
 * Proves that names mean on a host what they mean in the analysis: the views of a schema, and functions, operators, types and casts of
 * PostgreSQL (decisions/0006).
 *
 * @throws DatabaseError if a statement could mean anything else, or others may create in the schema
 */
export async function checkSchema(client: pg.Client, host: string, schema: string): Promise<void> {
  const ask = async (text: string, values: readonly string[] = [schema]) =>
    (
      (await client.query({ text, values: [...values], rowMode: 'array' })).rows[0] as [string] | undefined
    )?.[0]
  const encoding = await ask(`SELECT current_setting('server_encoding')`, [])
  if (encoding !== 'UTF8')
    throw new DatabaseError(
      `The database at ${host} has the encoding ${encoding}, in which names may end elsewhere than in UTF-8. Use a database with the encoding UTF8.`,
    )
  const changed = await ask(changedSql, [])
  if (changed !== undefined)
    throw new DatabaseError(
      `The database at ${host} changes what PostgreSQL means: ${changed}. Drop it, or use another database.`,
    )
  const foreign = await ask(foreignSql)
  if (foreign !== undefined) {
    const moved = schema === defaultSchema ? 'views' : defaultSchema
    throw new DatabaseError(
      `The schema ${schema} at ${host} has more than views: ${foreign}. A statement could mean it. Give the nine views a schema of their own, and name it with --schema: CREATE SCHEMA ${moved}; ALTER VIEW ${schema}.v_quantities SET SCHEMA ${moved}; and so on.`,
    )
  }
  const remedy = await ask(creatorsSql)
  if (remedy !== undefined)
    throw new DatabaseError(
      `Others may create functions in the schema ${schema} at ${host}, which a statement could mean. Run: ${remedy}; or give the nine views a schema of their own, and name it with --schema.`,
    )
}

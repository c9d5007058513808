import pg from 'pg'
import { views } from '../../../schemas/views.ts'
import { DatabaseError } from './database-error.ts'

/** The roles that a role is or may become, and the tables that they may reach. */
const tables = `
  roles AS (SELECT r.* FROM pg_roles r JOIN pg_roles reader ON reader.rolname = $1 WHERE pg_has_role(reader.oid, r.oid, 'MEMBER')),
  relations AS (SELECT r.oid AS role, r.rolname, c.oid, c.relkind, c.relname, n.nspname FROM roles r, pg_class c
    JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname NOT LIKE 'pg\\_t%'
      AND has_schema_privilege(r.oid, n.oid, 'USAGE'))`

/**
 * What no reader needs, by the words that name it: more than to read, and how to take it away. The catalogue is asked and nothing
 * is tried: a transaction that may only read would deny what the rights do not. An object counts by its owner, who may change it
 * without a grant. All roles whose names begin with `pg_` are of PostgreSQL.
 */
const refusals = `WITH ${tables}
  SELECT 'is a superuser', format('ALTER ROLE %I NOSUPERUSER', $1) FROM roles WHERE rolsuper AND rolname = $1
  UNION ALL SELECT 'may become the superuser ' || rolname, format('REVOKE %I FROM %I', rolname, $1) FROM roles WHERE rolsuper
  UNION ALL SELECT 'owns ' || pg_describe_object(d.classid, d.objid, d.objsubid), NULL FROM roles r JOIN pg_shdepend d ON d.refobjid = r.oid
    WHERE d.refclassid = 'pg_authid'::regclass AND d.deptype = 'o'
      AND d.dbid IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))
      AND NOT (d.classid = 'pg_class'::regclass AND d.objid IN (SELECT oid FROM pg_class WHERE relpersistence = 't'))
  UNION ALL SELECT 'may create roles or databases, replicate, or pass over row security',
      CASE rolname WHEN $1 THEN format('ALTER ROLE %I NOCREATEROLE NOCREATEDB NOREPLICATION NOBYPASSRLS', $1) ELSE format('REVOKE %I FROM %I', rolname, $1) END
    FROM roles WHERE rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls
  UNION ALL SELECT 'is a member of ' || rolname, format('REVOKE %I FROM %I', rolname, $1) FROM roles WHERE rolname LIKE 'pg\\_%'
  UNION ALL SELECT 'may create objects in the database', format('REVOKE CREATE ON DATABASE %I FROM PUBLIC, %I', current_database(), rolname)
    FROM roles WHERE has_database_privilege(oid, current_database(), 'CREATE')
  UNION ALL SELECT 'may create objects in the schema ' || n.nspname, format('REVOKE CREATE ON SCHEMA %I FROM PUBLIC, %I', n.nspname, r.rolname)
    FROM roles r, pg_namespace n WHERE n.nspname NOT LIKE 'pg\\_t%' AND has_schema_privilege(r.oid, n.oid, 'CREATE')
  UNION ALL SELECT format('may write to %I.%I', nspname, relname), format('REVOKE ALL ON %I.%I FROM PUBLIC, %I', nspname, relname, rolname)
    FROM relations WHERE CASE WHEN relkind IN ('r', 'p', 'v', 'm', 'f')
        THEN has_table_privilege(role, oid, 'INSERT, UPDATE, DELETE, TRUNCATE, TRIGGER') OR has_any_column_privilege(role, oid, 'INSERT, UPDATE')
      WHEN relkind = 'S' THEN has_sequence_privilege(role, oid, 'USAGE, UPDATE') ELSE false END
  UNION ALL SELECT 'may read the secrets of all roles', format('REVOKE ALL ON pg_authid FROM PUBLIC, %I', rolname)
    FROM roles WHERE has_any_column_privilege(oid, 'pg_authid'::regclass, 'SELECT')
  UNION ALL SELECT 'may read files of the server', format('REVOKE ALL ON FUNCTION %s FROM PUBLIC, %I', p.oid::regprocedure, rolname)
    FROM roles r, pg_proc p WHERE p.proname IN ('pg_read_file', 'pg_read_binary_file', 'lo_import')
      AND p.pronamespace = 'pg_catalog'::regnamespace AND has_function_privilege(r.oid, p.oid, 'EXECUTE')
  LIMIT 1`

/** The number of other relations that the role may read, and whether it may create temporary tables. */
const tolerated = `WITH ${tables}
  SELECT count(DISTINCT oid)::int, has_database_privilege($1, current_database(), 'TEMPORARY') FROM relations
  WHERE relkind IN ('r', 'p', 'v', 'm', 'f') AND (nspname <> $2 OR relname <> ALL($3)) AND has_any_column_privilege(role, oid, 'SELECT')`

/**
 * The second of two locks: what the rights of a role deny without the gate.
 *
 * @param schema of the views
 * @returns a sentence for the log about what only the gate denies
 * @throws DatabaseError if the role may do more than read; the message has the statements that change this
 */
export async function checkRights(
  client: pg.Client,
  host: string,
  role: string,
  schema: string,
): Promise<string> {
  const ask = async (text: string, ...values: readonly unknown[]) =>
    ((await client.query({ text, values: [role, ...values], rowMode: 'array' })).rows[0] ?? []) as unknown[]
  const [reason, remedy] = await ask(refusals)
  if (reason !== undefined)
    throw new DatabaseError(
      `The role ${role} at ${host} ${reason}, and may only read.${remedy ? ` Run: ${remedy}; or use` : ' Use'} a role with these rights: ${readerGrants(schema)}`,
    )
  const [others, mayCreateTemporary] = await ask(
    tolerated,
    schema,
    views.map(({ name }) => name),
  )
  const open = [
    ...(Number(others) > 0 ? [`${others} other tables`] : []),
    ...(mayCreateTemporary === true ? ['temporary tables'] : []),
    'the catalogues, settings and locks',
  ]
  return `At ${host}, the rights of ${role} permit nothing but to read. Only the gate keeps statements from ${open.join(', from ')}.`
}

/** SQL that creates a role as the server needs it. */
const readerGrants = (schema: string): string =>
  `CREATE ROLE bioprocess_reader LOGIN; GRANT USAGE ON SCHEMA ${pg.escapeIdentifier(schema)} TO bioprocess_reader; GRANT SELECT ON ${views.map(({ name }) => `${pg.escapeIdentifier(schema)}.${name}`).join(', ')} TO bioprocess_reader;`

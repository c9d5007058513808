import pg from 'pg'
import { views } from '../../../../schemas/views.ts'
import { DatabaseError } from '../errors.ts'
import { changesSomething } from './second-lock.ts'

/** The roles that a role is or may become. */
const roles = `roles AS (SELECT r.* FROM pg_roles r JOIN pg_roles reader ON reader.rolname = $1
  WHERE pg_has_role(reader.oid, r.oid, 'MEMBER'))`

/** Every right that is granted to these roles or to all, on objects that they can reach. */
const grants = `acls AS (
    SELECT 'pg_class'::regclass AS classid, oid AS objid, 0 AS objsubid, '' AS kind, relnamespace AS namespace, relacl AS acl FROM pg_class
    UNION ALL SELECT 'pg_class'::regclass, c.oid, attnum, '', relnamespace, attacl FROM pg_attribute JOIN pg_class c ON c.oid = attrelid
    UNION ALL SELECT 'pg_proc'::regclass, oid, 0, 'ROUTINE ', pronamespace, coalesce(proacl, acldefault('f', proowner)) FROM pg_proc
    UNION ALL SELECT 'pg_namespace'::regclass, oid, 0, 'SCHEMA ', 0, nspacl FROM pg_namespace
    UNION ALL SELECT 'pg_database'::regclass, oid, 0, 'DATABASE ', 0, datacl FROM pg_database WHERE datname = current_database()
    UNION ALL SELECT 'pg_tablespace'::regclass, oid, 0, 'TABLESPACE ', 0, spcacl FROM pg_tablespace
    UNION ALL SELECT 'pg_largeobject'::regclass, oid, 0, 'LARGE OBJECT ', 0, lomacl FROM pg_largeobject_metadata
    UNION ALL SELECT 'pg_parameter_acl'::regclass, oid, 0, 'PARAMETER ', 0, paracl FROM pg_parameter_acl
    UNION ALL SELECT 'pg_foreign_server'::regclass, oid, 0, 'FOREIGN SERVER ', 0, srvacl FROM pg_foreign_server
    UNION ALL SELECT 'pg_foreign_data_wrapper'::regclass, oid, 0, 'FOREIGN DATA WRAPPER ', 0, fdwacl FROM pg_foreign_data_wrapper),
  grants AS (SELECT acls.*, privilege_type AS privilege, grantee FROM acls, aclexplode(acl)
    WHERE (grantee = 0 OR grantee IN (SELECT oid FROM roles))
      AND (namespace = 0 OR EXISTS (SELECT FROM roles r WHERE has_schema_privilege(r.oid, namespace, 'USAGE'))))`

/** Whether PostgreSQL or an extension itself gives a right. */
const isInitial = `EXISTS (SELECT FROM pg_init_privs i, aclexplode(i.initprivs) x WHERE (i.classoid, i.objoid, i.objsubid) = (g.classid, g.objid, g.objsubid)
  AND x.privilege_type = g.privilege AND (x.grantee = 0 OR x.grantee IN (SELECT oid FROM roles)))`

/**
 * What a reader may have: nothing but SELECT, where it is not of the catalogues, and the functions that all may execute, unless they
 * have the rights of their owners. The nine views may call those.
 */
const isReading = `CASE g.classid
  WHEN 'pg_class'::regclass THEN g.privilege = 'SELECT' AND g.namespace <> 'pg_catalog'::regnamespace
  WHEN 'pg_proc'::regclass THEN NOT EXISTS (SELECT FROM pg_init_privs i WHERE (i.classoid, i.objoid) = (g.classid, g.objid)) AND (
    EXISTS (SELECT FROM pg_proc p WHERE p.oid = g.objid AND (NOT p.prosecdef OR p.prorettype IN ('trigger'::regtype, 'event_trigger'::regtype)))
    OR EXISTS (SELECT FROM pg_depend d JOIN pg_rewrite w ON d.classid = 'pg_rewrite'::regclass AND w.oid = d.objid
      JOIN pg_class c ON c.oid = w.ev_class JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE (d.refclassid, d.refobjid) = (g.classid, g.objid) AND n.nspname = $2 AND c.relname = ANY($3)))
  WHEN 'pg_namespace'::regclass THEN g.privilege = 'USAGE'
  WHEN 'pg_database'::regclass THEN g.privilege IN ('CONNECT', 'TEMPORARY')
  WHEN 'pg_largeobject'::regclass THEN g.privilege = 'SELECT'
  ELSE false END`

/**
 * What no reader needs, by the words that name it: more than to read, and how to take it away. The catalogue is asked and nothing
 * is tried: a transaction that may only read would deny what the rights do not. An object counts by its owner, who may change it
 * without a grant. All roles whose names begin with `pg_` are of PostgreSQL. Rights are listed by what a reader may have, so that a
 * right of a later version is refused.
 */
const refusals = `WITH ${roles}, ${grants}
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
  UNION ALL SELECT 'may write to all large objects, because lo_compat_privileges is on', NULL WHERE current_setting('lo_compat_privileges')::bool
  UNION ALL SELECT format('has the right %s on %s', privilege, pg_describe_object(classid, objid, objsubid)) ||
        CASE WHEN classid = 'pg_proc'::regclass AND (SELECT prosecdef FROM pg_proc WHERE oid = objid) THEN ', which has the rights of its owner' ELSE '' END,
      format('REVOKE %s ON %s%s FROM %s', privilege, kind, (pg_identify_object(classid, objid, 0)).identity,
        CASE grantee WHEN 0 THEN 'PUBLIC' ELSE grantee::regrole::text END)
    FROM grants g WHERE NOT ${isReading} AND NOT ${isInitial}
  LIMIT 1`

/**
 * The number of other relations that the role may read, whether it may create temporary tables, and whether it may call functions that
 * change something.
 */
const tolerated = `WITH ${roles}, ${grants}
  SELECT count(DISTINCT c.oid)::int, has_database_privilege($1, current_database(), 'TEMPORARY'),
    EXISTS (SELECT FROM pg_proc AS p WHERE has_function_privilege($1, p.oid, 'EXECUTE') AND ${changesSomething})
  FROM grants g JOIN pg_class c ON c.oid = g.objid JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE g.classid = 'pg_class'::regclass AND c.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname NOT IN ('pg_catalog', 'information_schema')
    AND (n.nspname <> $2 OR c.relname <> ALL($3))`

/**
 * What the rights of a role deny by themselves.
 *
 * @param schema of the views
 * @returns a sentence for the log about what only the analysis of statements denies
 * @throws DatabaseError if the role may do more than read; the message has the statements that change this
 */
export async function checkRights(
  client: pg.Client,
  host: string,
  role: string,
  schema: string,
): Promise<string> {
  const values = [role, schema, views.map(({ name }) => name)]
  const ask = async (text: string) =>
    ((await client.query({ text, values, rowMode: 'array' })).rows[0] ?? []) as unknown[]
  const [reason, remedy] = await ask(refusals)
  if (reason !== undefined)
    throw new DatabaseError(
      `The role ${role} at ${host} ${reason}, and may only read.${remedy ? ` Run: ${remedy}; or use` : ' Use'} a role with these rights: ${readerGrants(schema)}`,
    )
  const [others, mayCreateTemporary, mayChange] = await ask(tolerated)
  const open = [
    ...(Number(others) > 0 ? [`${others} other tables`] : []),
    ...(mayCreateTemporary === true ? ['temporary tables'] : []),
    ...(mayChange === true ? ['the catalogues, large objects, settings and locks'] : ['the catalogues']),
  ]
  return `At ${host}, the rights of ${role} permit nothing but to read. Only the analysis of each statement keeps it from ${open.join(', from ')}.`
}

/** SQL that creates a role as the server needs it. */
const readerGrants = (schema: string): string =>
  `CREATE ROLE bioprocess_reader LOGIN; GRANT USAGE ON SCHEMA ${pg.escapeIdentifier(schema)} TO bioprocess_reader; GRANT SELECT ON ${views.map(({ name }) => `${pg.escapeIdentifier(schema)}.${name}`).join(', ')} TO bioprocess_reader;`

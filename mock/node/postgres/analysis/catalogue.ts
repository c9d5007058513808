import { readerRole } from '../../../engine/views/roles.ts'

/** Names by the OIDs that a tree has. */
type Names = Readonly<Record<string, string>>

/** What the database of the analysis knows. */
export interface Catalogue {
  /** Where statements find the views, as SQL. */
  readonly search_path: string
  /** The views of the server, and all other relations. */
  readonly views: Names
  readonly relations: Names
  /** The functions that a statement may call, and all others. */
  readonly callable: Names
  readonly functions: Names
  /** Functions that read the values of a record's columns from texts, whatever their types. */
  readonly populating: Names
  /** Types that look their values up by name, rows of catalogues among them: on the server they would tell of its objects and roles. */
  readonly lookups: Names
}

/** Types of arguments and results that only PostgreSQL's own code has. */
const internal = `'{internal,cstring,trigger,event_trigger,language_handler,fdw_handler,index_am_handler,tsm_handler,table_am_handler,pg_ddl_command}'::regtype[]::oid[]`

/**
 * Asks for the {@link Catalogue}. A statement may call what the rights of the embedded engine permit and a client can write: not the
 * functions that read and print values, nor the cast of a text to regclass. A function that the rule refuses on the server and
 * that is unknown here could be what the server makes of a name: such a name is refused.
 */
export const catalogueSql = `
  WITH relations AS (
    SELECT c.oid, c.relname AS name, c.reltype, c.relkind = 'v' AND c.relnamespace = host.schema::regnamespace AS is_view
    FROM pg_class AS c, plant.host),
  own_lookups AS (
    SELECT oid, typname AS name, typarray AS list FROM pg_type WHERE typname ~ '^(reg|aclitem)' OR typtype = 'd'
      OR typtype = 'c' AND oid NOT IN (SELECT reltype FROM relations WHERE is_view)),
  lookups AS (SELECT oid, name FROM own_lookups UNION SELECT t.oid, t.typname FROM pg_type AS t JOIN own_lookups ON t.oid = list),
  unknown AS (
    SELECT split_part(signature, '(', 1) AS name FROM plant.host, json_array_elements_text(refused) AS signature
    WHERE signature NOT IN (SELECT oid::regprocedure::text FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace)),
  functions AS (
    SELECT p.oid, p.proname AS name, has_function_privilege('${readerRole}', p.oid, 'EXECUTE')
      AND NOT (p.proargtypes::oid[] || p.prorettype) && ${internal}
      AND NOT (p.proargtypes[0] = 'text'::regtype AND p.prorettype IN (SELECT oid FROM lookups))
      AND quote_ident(p.proname) NOT IN (SELECT name FROM unknown) AS callable
    FROM pg_proc AS p)
  SELECT json_build_object(
    'search_path', (SELECT 'pg_catalog, ' || schema FROM plant.host),
    'views', (SELECT json_object_agg(oid, name) FROM relations WHERE is_view),
    'relations', (SELECT json_object_agg(oid, name) FROM relations WHERE NOT is_view),
    'callable', (SELECT json_object_agg(oid, name) FROM functions WHERE callable),
    'functions', (SELECT json_object_agg(oid, name) FROM functions WHERE NOT callable),
    'populating', (SELECT json_object_agg(oid, name) FROM functions WHERE name ~ '^jsonb?_populate_record'),
    'lookups', (SELECT json_object_agg(oid, name) FROM lookups))::text AS catalogue`

import { views } from '../../../schemas/views.ts'
import { hiddenSchema, readerRole, readersRole, sessionsRole, sharedSchema } from '../views/roles.ts'
import { createView, noChanges } from '../views/views.ts'

/**
 * Functions that PostgreSQL calls by itself, with the rights of the role: for operators, casts, operator classes and
 * aggregates, and to read and print values. The planner does so too, when it folds a cast of a constant.
 */
const calledByPostgres = `p.oid IN (
    SELECT oprcode FROM pg_operator
    UNION SELECT castfunc FROM pg_cast
    UNION SELECT amproc FROM pg_amproc
    UNION SELECT unnest(ARRAY[aggtransfn::oid, aggfinalfn, aggcombinefn, aggmtransfn, aggminvtransfn, aggmfinalfn]) FROM pg_aggregate
    UNION SELECT unnest(ARRAY[typinput::oid, typoutput, typmodin]) FROM pg_type)`

/**
 * Types whose values stand for objects, rights or transactions of the server, as in pg_get_viewdef(oid). Not regconfig and
 * regdictionary: what takes them only turns texts into words, as to_tsvector('english', name) does.
 */
const serverTypes = `oid oidvector xid aclitem aclitem[] regproc regprocedure regoper regoperator regclass regcollation
  regtype regrole regnamespace`

/** Types whose values PostgreSQL finds by name or number, without a right: they tell which objects and roles there are. */
const namingType = String.raw`'^(?:reg(?!config|dictionary)|aclitem)'`

/**
 * Functions that tell of the server, its objects, files, sessions or locks, and those of the binary protocol, whose values hold the
 * numbers of types. An aggregate only sees its values.
 */
const tellsOfServer = `(
    p.prokind <> 'a' AND p.proargtypes::oid[] && '{${serverTypes.split(/\s+/).join()}}'::regtype[]::oid[]
    OR p.proname ~ '^(pg|txid|has|current|session|system|row_security|get_current|inet_(client|server))_|^to_reg|_to_xml|(send|recv)$'
    OR p.proname IN ('version', 'unicode_version', 'icu_unicode_version', 'getpgusername', 'getdatabaseencoding',
      'ts_debug', 'ts_parse', 'ts_token_type'))`

/**
 * Volatile functions, and functions of those names, that tell of their arguments, the clock or the random generator alone. A
 * sleep causes a 504 without loading the server (docs/decisions/0023, ruling 11). setseed is none of them: it changes what random()
 * gives to the statements of others.
 */
const harmless = `(p.proname IN ('pg_sleep', 'pg_sleep_for', 'random', 'random_normal', 'array_sample', 'array_shuffle',
    'gen_random_uuid', 'uuidv4', 'uuidv7', 'clock_timestamp', 'timeofday', 'pg_typeof', 'pg_collation_for', 'pg_column_size',
    'pg_size_bytes', 'pg_size_pretty'))`

/**
 * Whether a statement may call a function, as a condition over `pg_proc AS p` (docs/decisions/0006). PostgreSQL resolves which function
 * a statement calls.
 */
export const mayCall = `p.pronamespace = 'pg_catalog'::regnamespace
  AND (${harmless} OR p.provolatile <> 'v' AND p.prorettype::regtype::text !~ ${namingType}
    AND (${calledByPostgres} OR NOT ${tellsOfServer}))`

/**
 * The rights of the embedded engine: a statement may read the views and call functions by the rule of {@link mayCall}, and nothing
 * else. The roles cannot read the catalogues; planning does not need that right. PGlite lacks the modules that convert between
 * encodings, and loading one breaks it. A function that finds a type by its number would tell its name; as a volatile one, it is
 * folded by no planner, and else PostgreSQL calls it for a cast without a right.
 */
export const lockdown = `
CREATE ROLE ${readersRole} NOLOGIN;
CREATE ROLE ${readerRole} NOLOGIN IN ROLE ${readersRole};
REVOKE ALL ON DATABASE postgres FROM PUBLIC;
REVOKE ALL ON SCHEMA public, pg_catalog, information_schema FROM PUBLIC;
REVOKE ALL ON ALL TABLES IN SCHEMA pg_catalog FROM PUBLIC;
REVOKE ALL ON ALL TABLES IN SCHEMA information_schema FROM PUBLIC;
REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA pg_catalog FROM PUBLIC;
REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA information_schema FROM PUBLIC;
REVOKE USAGE ON LANGUAGE sql, plpgsql FROM PUBLIC;
SET allow_system_table_mods = on;
DELETE FROM pg_catalog.pg_conversion;
UPDATE pg_catalog.pg_proc SET provolatile = 'v' WHERE proname ~ '^(array|domain|(multi)?range|record)_in$';
RESET allow_system_table_mods;
GRANT USAGE ON SCHEMA pg_catalog TO ${readersRole};
DO $$
DECLARE
  callable text;
BEGIN
  SELECT string_agg(p.oid::regprocedure::text, ', ') INTO callable FROM pg_proc AS p WHERE ${mayCall};
  EXECUTE 'GRANT EXECUTE ON FUNCTION ' || callable || ' TO ${readersRole}';
END $$;
GRANT USAGE ON SCHEMA public TO ${readerRole};
GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${readerRole};
CREATE ROLE ${sessionsRole} NOLOGIN IN ROLE ${readersRole};
CREATE SCHEMA ${sharedSchema};
${views.map(({ name }) => createView(name, noChanges, { schema: sharedSchema })).join(';\n')};
GRANT USAGE ON SCHEMA ${sharedSchema} TO ${sessionsRole};
`

/**
 * What each engine does at its start, since the owner needs these types before: no statement can write a value of a type that tells
 * names, nor cast one to it. Only pg_typeof gives such values. enum_in refuses every text for a type without labels.
 */
export const hideNames = `
ALTER SCHEMA ${sharedSchema} RENAME TO ${hiddenSchema};
SET LOCAL allow_system_table_mods = on;
DELETE FROM pg_cast WHERE casttarget IN (SELECT oid FROM pg_type WHERE typname ~ ${namingType});
UPDATE pg_type SET typinput = 'enum_in'::regproc WHERE typname ~ ${namingType}`

import { allowedFunctions } from '../../gate/functions.ts'

/** The role of all statements. It owns nothing and may only SELECT from the nine views. */
export const readerRole = 'reader'

const quoted = (names: Iterable<string>) => [...names].map((name) => `'${name}'`).join(', ')

/**
 * Revokes every right of the role except reading the views: the second of two locks, after the gate. The role may
 * execute the functions of the gate's list, those that operators, casts and index operators call implicitly, and those
 * that read and print values, which the planner calls with the rights of the role when it folds the cast of a constant: also
 * those of cstring, as which it compares the bound of a filter, and of arrays. The reg* types look names up in the catalogue.
 * SEARCH BREADTH FIRST calls int8inc. PGlite lacks the modules that convert between encodings, and loading one breaks it.
 * The role cannot read the catalogues; planning does not need that right.
 */
export const lockdown = `
CREATE ROLE ${readerRole} NOLOGIN;
REVOKE ALL ON DATABASE postgres FROM PUBLIC;
REVOKE ALL ON SCHEMA public, pg_catalog, information_schema FROM PUBLIC;
REVOKE ALL ON ALL TABLES IN SCHEMA pg_catalog FROM PUBLIC;
REVOKE ALL ON ALL TABLES IN SCHEMA information_schema FROM PUBLIC;
REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA pg_catalog FROM PUBLIC;
REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA information_schema FROM PUBLIC;
REVOKE USAGE ON LANGUAGE sql, plpgsql FROM PUBLIC;
GRANT USAGE ON SCHEMA public, pg_catalog TO ${readerRole};
SET allow_system_table_mods = on;
DELETE FROM pg_catalog.pg_conversion;
RESET allow_system_table_mods;
GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${readerRole};
DO $$
DECLARE
  grantable text;
BEGIN
  SELECT string_agg(oid::regprocedure::text, ', ') INTO grantable
  FROM pg_proc
  WHERE pronamespace = 'pg_catalog'::regnamespace AND (
    proname IN (${quoted(allowedFunctions)})
    OR oid IN (SELECT oprcode FROM pg_operator)
    OR oid IN (SELECT castfunc FROM pg_cast)
    OR oid IN (SELECT amproc FROM pg_amproc)
    OR oid = 'int8inc(bigint)'::regprocedure
    OR oid IN (
      SELECT unnest(ARRAY[typinput::oid, typoutput]) FROM pg_type WHERE typname !~ '^_?reg'
    )
  );
  EXECUTE 'GRANT EXECUTE ON FUNCTION ' || grantable || ' TO ${readerRole}';
END $$;
`

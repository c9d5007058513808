import { allowedFunctions } from '../../gate/functions.ts'
import { allowedTypes } from '../../gate/types.ts'

/** The role statements run as. It owns nothing and may do nothing but SELECT from the nine views. */
export const readerRole = 'reader'

const quoted = (names: Iterable<string>) => [...names].map((name) => `'${name}'`).join(', ')

/**
 * Takes everything from the role but reading the views: the second of the two locks, behind the gate.
 * EXECUTE goes to the functions of the gate's list, to those that operators, casts and index operators call
 * without being named, and to those that read and print values: folding the cast of a constant, the planner
 * calls them with the rights of the role. Catalogues can't be read at all; planning does not need the right to.
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
    OR oid IN (
      SELECT unnest(ARRAY[typinput::oid, typoutput]) FROM pg_type
      WHERE typname IN (${quoted(allowedTypes)})
    )
  );
  EXECUTE 'GRANT EXECUTE ON FUNCTION ' || grantable || ' TO ${readerRole}';
END $$;
`

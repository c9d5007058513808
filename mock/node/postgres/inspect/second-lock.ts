import { mayCall } from '../../../engine/snapshot/lockdown.ts'

/**
 * Functions that change something or outlive the transaction, as a condition over `pg_proc AS p`: no statement may call them. The
 * server itself calls `set_config`, and what that sets ends with the transaction.
 */
export const changesSomething = `p.pronamespace = 'pg_catalog'::regnamespace AND p.prokind <> 'p' AND p.provolatile = 'v'
  AND p.proname <> 'set_config' AND NOT (${mayCall})`

/**
 * SQL for a database of its own, for its superuser: rights as a second lock behind the analysis of statements (docs/decisions/0006).
 * Elsewhere it would break programs that call such functions, as nextval and pg_dump do.
 */
export const secondLock = `-- Takes from PUBLIC the functions that change something. For a database that has nothing but the views and their tables.
DO $$
DECLARE one text;
BEGIN
  FOR one IN SELECT p.oid::regprocedure FROM pg_catalog.pg_proc AS p
    WHERE has_function_privilege('public', p.oid, 'EXECUTE') AND ${changesSomething}
  LOOP
    EXECUTE 'REVOKE EXECUTE ON FUNCTION ' || one || ' FROM PUBLIC';
  END LOOP;
END $$;
`

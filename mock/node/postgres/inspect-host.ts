import { views } from '../../../schemas/views.ts'
import { HostUnfit } from './host-unfit.ts'
import type { Watched } from './host-watch.ts'
import { type PreambleOptions, preambleSql } from './preamble.ts'
import { testSecondLock } from './second-lock.ts'
import { refuseVersion, versionSql } from './supported-version.ts'

export interface Inspection {
  /** The name of each view by its OID. */
  readonly views: ReadonlyMap<number, string>
  /** Sentences for the log: which promises of the second lock hold. */
  readonly promises: readonly string[]
}

/**
 * Looks at a host before it serves: its version, the role, the nine views, and what the role may do past the gate.
 *
 * @throws HostUnfit if the role is a superuser or could write, or a view is missing
 */
export async function inspectHost(
  name: string,
  query: Watched,
  options: PreambleOptions,
): Promise<Inspection> {
  await checkVersion(name, query)
  await checkRole(name, query)
  const found = await findViews(name, query, options.schema)
  const promises = await testSecondLock(name, query, preambleSql(options, 'UTC'))
  return { views: found, promises }
}

async function checkVersion(name: string, query: Watched): Promise<void> {
  const [[number] = []] = await query(`SELECT ${versionSql}`)
  refuseVersion(name, Number(number))
}

async function checkRole(name: string, query: Watched): Promise<void> {
  const [[role, isSuper] = []] = await query(
    `SELECT current_user::text, rolsuper FROM pg_roles WHERE rolname = current_user`,
  )
  if (isSuper !== true) return
  throw new HostUnfit(
    `The role ${role} at ${name} is a superuser, whom no right restrains. Use the role that \`fixtures load\` creates, or another that may only SELECT from the views.`,
  )
}

/**
 * The name of each view by its OID.
 *
 * @throws HostUnfit if a view is missing, or the role may not read it
 */
export async function findViews(name: string, query: Watched, schema: string): Promise<Map<number, string>> {
  const rows = await query(
    `SELECT c.relname::text, c.oid::int8, has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT')
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = $1 AND c.relname = ANY($2)`,
    [schema, views.map((view) => view.name)],
  )
  const readable = new Map(rows.map(([view, , isReadable]) => [String(view), isReadable === true]))
  const missing = views.map((view) => view.name).filter((view) => !readable.has(view))
  if (missing.length > 0)
    throw new HostUnfit(
      `The schema ${schema} of the database at ${name} has no ${missing.join(', ')}. Load it with \`fixtures load --database\`, end a load that was interrupted by running it again, or name another --schema.`,
    )
  const denied = [...readable].flatMap(([view, isReadable]) => (isReadable ? [] : [view]))
  if (denied.length > 0)
    throw new HostUnfit(
      `The role may not read ${denied.join(', ')} at ${name}. Grant it: GRANT USAGE ON SCHEMA ${schema} TO ...; GRANT SELECT ON ${denied.map((view) => `${schema}.${view}`).join(', ')} TO ...`,
    )
  return new Map(rows.map(([view, oid]) => [Number(oid), String(view)]))
}

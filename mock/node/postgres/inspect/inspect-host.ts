import type pg from 'pg'
import { views } from '../../../../schemas/views.ts'
import { DatabaseError } from '../errors.ts'
import { preamble, type PreambleOptions } from '../statement/preamble.ts'
import { factsOf, type HostFacts } from '../analysis/host-facts.ts'
import { checkRights } from './rights.ts'
import { checkSchema } from './schema.ts'
import { refuseVersion, versionSql } from './supported-version.ts'

export interface InspectOptions extends PreambleOptions {
  /** The schema of the views. */
  readonly schema: string
}

/** What a host permits. */
export interface Inspected {
  /** A sentence about the rights. */
  readonly rights: string
  /** A sentence about views that statements cannot read, and the remedy; undefined if there are none. */
  readonly lacking: string | undefined
  /** What the analysis of statements has to know. */
  readonly facts: HostFacts
}

/**
 * Looks at a host over a new connection: its version, the nine views, what names mean there, and what the role may do.
 *
 * @throws DatabaseError if the role may do more than read, names may mean something else, or there are no views
 */
export async function inspectHost(
  client: pg.Client,
  name: string,
  options: InspectOptions,
): Promise<Inspected> {
  const { schema } = options
  const row = async (text: string) =>
    ((await client.query({ text, rowMode: 'array' })).rows as unknown[][])[0] ?? []
  // like a statement, so that no function or operator of others is called
  const { timeLimitMs, readerLimitMs } = options
  await client.query(preamble({ timeLimitMs, readerLimitMs }))
  const [version] = await row(`SELECT ${versionSql}`)
  refuseVersion(name, Number(version))
  const role = String((await row('SELECT current_user::text'))[0])
  const found = await viewsIn(client, schema)
  const [elsewhere] = await row(
    `SELECT relnamespace::regnamespace::text FROM pg_class WHERE relname = '${names[0]}' LIMIT 1`,
  )
  const lacking = explainLacking(found, name, schema, elsewhere)
  await checkSchema(client, name, schema)
  const rights = await checkRights(client, name, role, schema)
  const facts = await factsOf(client, schema)
  await client.query('ROLLBACK')
  return { rights, lacking, facts }
}

const names = views.map(({ name }) => name)

interface FoundView {
  readonly name: string
  readonly readable: boolean
}

/** The views of the contract that a schema has. */
async function viewsIn(client: pg.Client, schema: string): Promise<readonly FoundView[]> {
  const { rows } = await client.query<FoundView>(
    `SELECT c.relname::text AS name,
       has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT') AS readable
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = $1 AND c.relname = ANY($2)`,
    [schema, names],
  )
  return rows
}

/** A sentence about views that are missing, or that the role may not read. @throws DatabaseError if there is none of them */
function explainLacking(
  found: readonly FoundView[],
  host: string,
  schema: string,
  elsewhere: unknown,
): string | undefined {
  const missing = names.filter((view) => !found.some(({ name }) => name === view))
  const absent = `The schema ${schema} of the database at ${host} has no ${missing.join(', ')}. Load it with \`fixtures load --database\`, or name another --schema.`
  const hint =
    elsewhere === undefined ? '' : ` The schema ${elsewhere} has such views: --schema ${elsewhere}.`
  if (found.length === 0) throw new DatabaseError(absent + hint)
  if (missing.length > 0) return absent
  const denied = found.flatMap(({ name, readable }) => (readable ? [] : [name]))
  return denied.length === 0
    ? undefined
    : `The role may not read ${denied.join(', ')} at ${host}. Grant it: GRANT USAGE ON SCHEMA ${schema} TO ...; GRANT SELECT ON ${denied.map((view) => `${schema}.${view}`).join(', ')} TO ...`
}

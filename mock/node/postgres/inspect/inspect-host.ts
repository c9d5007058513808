import type pg from 'pg'
import { views } from '../../../../schemas/views.ts'
import { DatabaseError } from '../errors.ts'
import { type LackingViews, lackingViews } from './lacking-views.ts'
import { positionColumns, positionOf, type SeenPosition } from '../statement/position.ts'
import { preamble, type PreambleOptions } from '../statement/preamble.ts'
import { checkRights } from './rights.ts'
import { refuseVersion, versionSql } from './supported-version.ts'

export interface InspectOptions extends PreambleOptions {
  /** The schema of the views. */
  readonly schema: string
  /** What a standby must have replayed; undefined if its position is not asked for. */
  readonly seen: SeenPosition | undefined
}

/** What a host permits. */
export interface Inspected {
  /** A sentence about the rights. */
  readonly rights: string
  /** A sentence about views that statements cannot read, and the remedy; undefined if there are none. */
  readonly lacking: string | undefined
  /** The columns that the views have beyond the contract, sorted. */
  readonly columns: readonly string[]
}

/**
 * Looks at a host over a new connection: its version, its position, the nine views, and what the role may do past the gate.
 *
 * @throws DatabaseError if the role may do more than read, or there are no views; TooEarly
 */
export async function inspectHost(
  client: pg.Client,
  name: string,
  options: InspectOptions,
): Promise<Inspected> {
  const { schema, seen } = options
  const row = async (text: string) =>
    ((await client.query({ text, rowMode: 'array' })).rows as unknown[][])[0] ?? []
  // like a statement, so that no function or operator of others is called
  await client.query(preamble(options))
  const [version] = await row(`SELECT ${versionSql}`)
  refuseVersion(name, Number(version))
  if (seen) seen.check(positionOf(await row(`SELECT ${positionColumns}`)))
  const role = String((await row('SELECT current_user::text'))[0])
  const lacking = explainLacking(await lackingViews(client, schema, role), name, schema)
  const columns = await furtherColumns(client, schema)
  const rights = await checkRights(client, name, role, schema)
  await client.query('ROLLBACK')
  return { rights, lacking, columns }
}

const names = views.map(({ name }) => name)

async function furtherColumns(client: pg.Client, schema: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT DISTINCT a.attname::text AS name
     FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = $1 AND c.relname = ANY($2) AND a.attnum > 0 AND NOT a.attisdropped AND a.attname <> ALL($3)
     ORDER BY 1`,
    [schema, names, views.flatMap(({ columns }) => columns.map(({ name }) => name))],
  )
  return rows.map(({ name }) => name)
}

/** A sentence about views that are missing, or that the role may not read. @throws DatabaseError if there is none of them */
function explainLacking({ missing, denied }: LackingViews, host: string, schema: string): string | undefined {
  const absent = `The schema ${schema} of the database at ${host} has no ${missing.join(', ')}. Load it with \`fixtures load --database\`, or name another --schema.`
  if (missing.length === names.length) throw new DatabaseError(absent)
  if (missing.length > 0) return absent
  return denied.length === 0
    ? undefined
    : `The role may not read ${denied.join(', ')} at ${host}. Grant it: GRANT USAGE ON SCHEMA ${schema} TO ...; GRANT SELECT ON ${denied.map((view) => `${schema}.${view}`).join(', ')} TO ...`
}

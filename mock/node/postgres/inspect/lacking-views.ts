import type pg from 'pg'
import { views } from '../../../../schemas/views.ts'

/** Views of the contract that a role cannot read. */
export interface LackingViews {
  /** Names that the schema does not have. */
  readonly missing: readonly string[]
  /** Names of views without the right to read them. */
  readonly denied: readonly string[]
}

/** Asks the catalogue which of the nine views a role cannot read. @param role a role that exists */
export async function lackingViews(client: pg.Client, schema: string, role: string): Promise<LackingViews> {
  const names = views.map(({ name }) => name)
  const { rows } = await client.query<{ name: string; readable: boolean }>(
    `SELECT c.relname::text AS name, has_schema_privilege($3::name, n.oid, 'USAGE') AND has_table_privilege($3::name, c.oid, 'SELECT') AS readable
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = $1 AND c.relname = ANY($2)`,
    [schema, names, role],
  )
  const found = new Set(rows.map(({ name }) => name))
  return {
    missing: names.filter((name) => !found.has(name)),
    denied: rows.flatMap(({ name, readable }) => (readable ? [] : [name])),
  }
}

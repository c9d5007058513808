import type pg from 'pg'
import type { Progress } from '../../../../fixtures/export/index.ts'
import { createDataset, type DatasetOptions } from '../../../../fixtures/index.ts'
import { views } from '../../../../schemas/views.ts'
import { destroy } from '../connect/connect.ts'
import { DatabaseError } from '../errors.ts'
import { checkRights } from '../inspect/rights.ts'
import { checkSchema } from '../inspect/schema.ts'
import { defaultSchema } from '../options.ts'
import { copyRows } from './copy-rows.ts'
import { type Layout, layoutOf } from './layout.ts'
import { explainLoadError } from './load-error.ts'
import { connectPrimary } from './primary.ts'
import { checkRoleName, createReader, grants } from './reader-role.ts'

export interface LoadOptions {
  /** The URL of the owner of the tables, see ../connect/address.ts. */
  readonly url: string
  /** Default: {@link defaultSchema}, if the database has no other tables. */
  readonly schema?: string
  /** The role that `serve` uses; created unless it exists. Default: bioprocess_reader. */
  readonly reader?: string
  /** The password of a role that is created. Default: none. */
  readonly readerPassword?: string
  readonly onProgress?: (progress: Progress) => void
  readonly signal?: AbortSignal
}

/**
 * Loads a simulated plant into a database in one transaction: schemas, role, rights and rows.
 *
 * @returns the number of rows
 * @throws DatabaseOptionError; DatabaseError if the database has other tables or a plant, lacks a right, or was lost; the
 * reason of the signal. Nothing is loaded then.
 */
export async function loadPlant(dataset: DatasetOptions, options: LoadOptions): Promise<number> {
  const { url, schema, reader = 'bioprocess_reader', readerPassword, onProgress, signal } = options
  const layout = layoutOf(schema ?? defaultSchema)
  checkRoleName(reader)
  const { client, host } = await connectPrimary(url)
  try {
    // what may fail comes before the rows, which take long
    if (schema === undefined) await refuseOthers(client, layout)
    await run(client, [...layout.createSchemas, ...layout.createTables, ...layout.createViews])
    await createReader(client, reader, readerPassword)
    await run(client, grants(layout, reader))
    await checkRights(client, host, reader, layout.views)
    await checkSchema(client, host, layout.views)
    let rows = 0
    for await (const progress of copyRows(client, layout.sql.tables, createDataset(dataset))) {
      signal?.throwIfAborted()
      rows = progress.rows
      onProgress?.(progress)
    }
    const analyze = views.map(({ table }) => `ANALYZE ${layout.sql.tables}.${table}`)
    await run(client, [...layout.createIndexes, ...analyze, 'COMMIT'])
    await client.end()
    return rows
  } catch (error) {
    // without a commit, nothing stays
    destroy(client)
    throw explainLoadError(error)
  }
}

async function run(client: pg.Client, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await client.query(statement)
}

/** @throws DatabaseError if the database has tables that are not those of a plant */
async function refuseOthers(client: pg.Client, { views: schema, tables }: Layout): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT format('%s.%s', n.nspname, c.relname) AS name
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname <> 'information_schema'
       AND n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> $1
       AND NOT (n.nspname = $2 AND c.relkind = 'v' AND c.relname LIKE 'v\\_%')
       AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
     ORDER BY 1 LIMIT 1`,
    [tables, schema],
  )
  if (rows.length > 0)
    throw new DatabaseError(
      `The database has other tables, such as ${rows[0]!.name}. Say where the plant goes with --schema, or name another database.`,
    )
}

import { DatabaseError } from '../errors.ts'
import { lackingViews } from '../inspect/lacking-views.ts'
import { checkRights } from '../inspect/rights.ts'
import { type Layout, layoutOf } from './layout.ts'
import { checkRoleName, createReader, grants, roleExists } from './reader-role.ts'
import type pg from 'pg'
import { createDataset, type DatasetOptions } from '../../../../fixtures/index.ts'
import { views } from '../../../../schemas/views.ts'
import { destroy } from '../connect/connect.ts'
import { copyRows, type LoadProgress } from './copy-rows.ts'
import { loadedKey, refuseOthers, refuseRights, refuseViews } from './existing.ts'
import { explainLoadError } from './load-error.ts'
import { connectPrimary } from './primary.ts'
import { drops, grantsOnViews, refuseForeign, swap } from './replace.ts'

export interface LoadOptions {
  /** The URL of the owner of the tables, see ../address.ts. */
  readonly url: string
  /** Default: public, if the database has no other tables. */
  readonly schema?: string
  /** The role that `serve` uses; created unless it exists. Default: bioprocess_reader. */
  readonly reader?: string
  /** The password of a role that is created. Default: none. */
  readonly readerPassword?: string
  /** The version of this package: another one may simulate other rows. */
  readonly version: string
  /** Replaces a plant that `fixtures load` loaded before. */
  readonly restart?: boolean
  readonly onProgress?: (progress: LoadProgress) => void
  readonly signal?: AbortSignal
  /** How long others may keep the load from replacing the plant, see swap.ts. */
  readonly patienceMs?: number
}

/** Any number: two loads into one database take the same lock. */
const loadLock = 1_649_760_492

/**
 * Loads a simulated plant into a database in one transaction: schemas, role, rights and rows. A plant that is replaced is
 * read until then.
 *
 * @returns the number of rows; undefined if the same plant is loaded already
 * @throws DatabaseOptionError; DatabaseError if the database has other tables or another plant, lacks a right, or was lost; the
 * reason of the signal. Nothing is loaded then.
 */
export async function loadPlant(dataset: DatasetOptions, options: LoadOptions): Promise<number | undefined> {
  const { url, schema, reader = 'bioprocess_reader' } = options
  const layout = layoutOf(schema ?? 'public')
  checkRoleName(reader)
  const { client, host } = await connectPrimary(url)
  try {
    await takeLock(client)
    const rows = await replacePlant(client, host, dataset, layout, { ...options, reader })
    await client.query('COMMIT')
    await client.end()
    return rows
  } catch (error) {
    // without a commit, nothing stays
    destroy(client)
    throw explainLoadError(error)
  }
}

/** The lock ends with the transaction. */
async function takeLock(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS taken', [
    loadLock,
  ])
  if (!rows[0]!.taken)
    throw new DatabaseError('Another load into this database is running. Wait until it has ended.')
}

async function replacePlant(
  client: pg.Client,
  host: string,
  options: DatasetOptions,
  layout: Layout,
  {
    schema,
    reader,
    readerPassword,
    version,
    restart,
    signal,
    patienceMs,
    onProgress,
  }: LoadOptions & { readonly reader: string },
): Promise<number | undefined> {
  const { sql, createTables, createIndexes, createViews } = layout
  const dataset = createDataset(options)
  const key = JSON.stringify({ ...dataset.key, version })
  if (schema === undefined) await refuseOthers(client, layout)
  const before = await loadedKey(client, layout)
  await refuseViews(client, layout)
  if (before === key && !restart) {
    await refuseIncomplete(client, host, layout, reader)
    return undefined
  }
  if (before !== undefined && !restart)
    throw new DatabaseError(
      `The schema ${layout.tables} contains another plant: ${before}. Replace it with --restart, or name another --schema.`,
    )
  if (before === undefined) await refuseRights(client, layout)
  else await refuseForeign(client, layout)
  const kept = await grantsOnViews(client, layout)
  await createReader(client, reader, readerPassword)
  await checkRights(client, host, reader, layout.views)
  if (before !== undefined) await client.query(`ALTER SCHEMA ${sql.tables} RENAME TO ${sql.before}`)
  await run(client, [
    ...(layout.views === 'public' ? [] : [`CREATE SCHEMA IF NOT EXISTS ${sql.views}`]),
    `CREATE SCHEMA ${sql.tables}`,
    ...createTables,
    `CREATE TABLE ${sql.tables}.load_state (key text NOT NULL)`,
  ])
  await client.query(`INSERT INTO ${sql.tables}.load_state VALUES ($1)`, [key])
  let rows = 0
  for await (const progress of copyRows(client, sql.tables, dataset)) {
    signal?.throwIfAborted()
    rows = progress.rows
    onProgress?.(progress)
  }
  await run(client, [...createIndexes, ...views.map(({ table }) => `ANALYZE ${sql.tables}.${table}`)])
  // with the views, which statements read until now
  const replaced = before === undefined ? [] : drops(layout)
  await swap(client, [...replaced, ...createViews, ...kept, ...grants(layout, reader)], {
    patienceMs,
    signal,
  })
  return rows
}

async function run(client: pg.Client, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await client.query(statement)
}

const incomplete = (what: string): DatabaseError =>
  new DatabaseError(`This plant is loaded already, but ${what}. Load it again with --restart.`)

/** @throws DatabaseError if a plant that is loaded lacks a view, or its reader or the rights of it, or the reader has more of them */
export async function refuseIncomplete(
  client: pg.Client,
  host: string,
  { views: schema }: Layout,
  reader: string,
): Promise<void> {
  if (!(await roleExists(client, reader))) throw incomplete(`the role ${reader} does not exist`)
  await checkRights(client, host, reader, schema)
  const { missing, denied } = await lackingViews(client, schema, reader)
  if (missing.length > 0) throw incomplete(`the schema ${schema} has no ${missing.join(', ')}`)
  if (denied.length > 0) throw incomplete(`the role ${reader} may not read ${denied.join(', ')}`)
}

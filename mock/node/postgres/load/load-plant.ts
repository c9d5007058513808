import type pg from 'pg'
import { createDataset, type DatasetOptions } from '../../../../fixtures/index.ts'
import { views } from '../../../../schemas/views.ts'
import { DatabaseError } from '../database-error.ts'
import { type Layout, layoutOf } from './layout.ts'
import { explainLoadError } from './load-error.ts'
import { keyOf, type LoadOptions } from './options.ts'
import { connectPrimary } from './primary.ts'
import { createReader, grants } from './reader-role.ts'
import {
  createTables,
  dropPlant,
  inTransaction,
  loadedParts,
  readState,
  refuseOthers,
  refuseViews,
} from './state.ts'
import { runThreads } from './threads.ts'

export interface Loaded {
  /** Whether the plant was whole already. */
  readonly wasComplete: boolean
  /** Parts that an earlier load had loaded. */
  readonly resumed: number
  readonly rows: number
}

/** Any number: two loads into one database take the same lock. */
const loadLock = 1_649_760_492

const defaultReader = 'bioprocess_reader'

/**
 * Loads a simulated plant into a database: schemas, role, rights and rows. A load that was interrupted continues; one that is
 * whole changes nothing. The views exist only once all rows are there.
 *
 * @throws DatabaseError if the database has other tables or another plant, lacks a right, or was lost
 */
export async function loadPlant(dataset: DatasetOptions, options: LoadOptions): Promise<Loaded> {
  const { url, schema, version, threads = 2, restart = false, onProgress = () => {}, signal } = options
  const { reader = defaultReader, readerPassword } = options
  const layout = layoutOf(schema ?? 'public')
  const { client, config } = await connectPrimary(url)
  try {
    await takeLock(client)
    const { key: facts, parts } = createDataset(dataset)
    const key = keyOf(facts, version)
    if (schema === undefined) await refuseOthers(client, layout)
    let state = await readState(client, layout)
    if (state && restart) {
      await dropPlant(client, layout)
      state = undefined
    }
    if (state && state.key !== key)
      throw new DatabaseError(
        `The schema ${layout.tables} contains another plant: ${state.key}. Replace it with --restart, or name another --schema.`,
      )
    if (state?.complete) return { wasComplete: true, resumed: parts, rows: 0 }
    await refuseViews(client, layout)
    await createReader(client, reader, readerPassword)
    if (!state) await createTables(client, layout, key, String(facts['asOf']))
    const loaded = await loadedParts(client, layout)
    const missing = Array.from({ length: parts }, (_, part) => part).filter((part) => !loaded.has(part))
    const { rows } = await runThreads(missing, {
      config,
      schema: layout.views,
      dataset,
      verifies: false,
      threads,
      signal,
      onDone: (done) => onProgress({ ...done, parts: loaded.size + done.parts, of: parts }),
    })
    await complete(client, layout, reader)
    return { wasComplete: false, resumed: loaded.size, rows }
  } catch (error) {
    throw explainLoadError(error)
  } finally {
    await client.end().catch(() => {})
  }
}

/** The lock ends with the connection. */
async function takeLock(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [
    loadLock,
  ])
  if (!rows[0]!.taken)
    throw new DatabaseError('Another load into this database is running. Wait until it has ended.')
}

/** Makes the plant readable in one step. */
async function complete(client: pg.Client, layout: Layout, reader: string): Promise<void> {
  const { sql, createIndexes, createViews } = layout
  for (const { table } of views) await client.query(`ANALYZE ${sql.tables}.${table}`)
  await inTransaction(client, async () => {
    for (const statement of [...createIndexes, ...createViews, ...grants(layout, reader)])
      await client.query(statement)
    await client.query(`UPDATE ${sql.tables}.load_state SET complete = true`)
  })
}

import { parentPort, workerData } from 'node:worker_threads'
import pg from 'pg'
import { encodePart } from '../../../../fixtures/export/encoder.ts'
import { formatOf } from '../../../../fixtures/export/formats.ts'
import { Memory } from '../../../../fixtures/export/memory.ts'
import { createDataset, type DatasetOptions } from '../../../../fixtures/index.ts'
import type { ViewName } from '../../../../schemas/generated/types.ts'
import { view, views } from '../../../../schemas/views.ts'
import { copyInto } from './copy-into.ts'
import { layoutOf } from './layout.ts'
import { checksum, inTransaction } from './state.ts'

/** The parts that a thread loads, or compares with what is loaded. */
export interface LoadTask {
  readonly config: pg.ClientConfig
  readonly schema: string
  readonly dataset: DatasetOptions
  readonly parts: readonly number[]
  /** Copies the rows into temporary tables and reports their checksums. */
  readonly verifies: boolean
}

/** Rows and checksum of a view; checksums of parts of the rows add up. */
export interface Sum {
  readonly rows: number
  readonly sum: string
}

export type LoadReply =
  | {
      readonly parts: number
      readonly rows: number
      readonly points: number
      readonly sums?: Record<ViewName, Sum>
    }
  | { readonly error: { readonly code?: string; readonly message: string } }

/** Bytes of one transaction: a commit costs as much as some thousand rows. */
const batchBytes = 16 << 20

const { config, schema, dataset: options, parts, verifies } = workerData as LoadTask
const layout = layoutOf(schema)
const dataset = createDataset(options)
const format = await formatOf('sql', 'none')
const memory = new Memory()
const client = new pg.Client(config)
client.on('error', () => {})
const target = (name: ViewName) =>
  verifies ? `pg_temp.${view(name).table}` : `${layout.sql.tables}.${view(name).table}`

/** The encoded rows of some parts. */
interface Batch {
  readonly parts: number[]
  readonly contents: Map<ViewName, Uint8Array[]>
  rows: number
  points: number
  bytes: number
}

const emptyBatch = (): Batch => ({ parts: [], contents: new Map(), rows: 0, points: 0, bytes: 0 })

function addPart(batch: Batch, part: number): void {
  batch.parts.push(part)
  for (const { view: name, rows, content } of encodePart(dataset, part, format, memory)) {
    // a copy: the next chunk overwrites it
    const bytes = Buffer.from(content as Uint8Array)
    batch.contents.set(name, [...(batch.contents.get(name) ?? []), bytes])
    batch.rows += rows
    batch.bytes += bytes.length
    if (name === 'v_timeseries_data') batch.points += rows
  }
}

async function store(batch: Batch): Promise<void> {
  let sums: Record<string, Sum> | undefined
  await inTransaction(client, async () => {
    for (const [name, contents] of batch.contents) await copy(name, contents)
    if (verifies) sums = await takeSums()
    else
      await client.query(`INSERT INTO ${layout.sql.tables}.load_parts SELECT unnest($1::int[])`, [
        batch.parts,
      ])
  })
  const { rows, points } = batch
  reply({ parts: batch.parts.length, rows, points, ...(sums && { sums: sums as Record<ViewName, Sum> }) })
}

function copy(name: ViewName, contents: readonly Uint8Array[]): Promise<void> {
  const columns = view(name).columns.map((column) => column.name)
  return copyInto(client, `COPY ${target(name)} (${columns.join(', ')}) FROM STDIN`, contents)
}

async function takeSums(): Promise<Record<string, Sum>> {
  const sums: Record<string, Sum> = {}
  for (const { name } of views) {
    sums[name] = await checksum(client, target(name))
    await client.query(`TRUNCATE ${target(name)}`)
  }
  return sums
}

const reply = (message: LoadReply) => parentPort!.postMessage(message)

try {
  await client.connect()
  await client.query(`SET timezone = 'UTC'`)
  if (verifies)
    for (const { table } of views)
      await client.query(`CREATE TEMPORARY TABLE ${table} (LIKE ${layout.sql.tables}.${table})`)
  let batch = emptyBatch()
  for (const part of parts) {
    addPart(batch, part)
    if (batch.bytes < batchBytes && part !== parts.at(-1)) continue
    await store(batch)
    batch = emptyBatch()
  }
  await client.end()
} catch (error) {
  const { code, message } = error as Error & { code?: string }
  reply({ error: { message, ...(code !== undefined && { code }) } })
}

import { once } from 'node:events'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { Dataset } from '../../../../fixtures/dataset.ts'
import { encodePart } from '../../../../fixtures/export/encoder.ts'
import { formatOf } from '../../../../fixtures/export/formats.ts'
import { Memory } from '../../../../fixtures/export/memory.ts'
import type { ViewName } from '../../../../schemas/generated/types.ts'
import { view } from '../../../../schemas/views.ts'

/** What is loaded by now. */
export interface LoadProgress {
  /** All parts of the plant. */
  readonly parts: number
  /** Parts that are loaded. */
  readonly done: number
  readonly rows: number
  /** Rows of v_timeseries_data. */
  readonly points: number
}

/** Bytes that are copied at a time: each COPY takes as long as some hundred rows. */
const batchBytes = 16 << 20

/** Copies all rows of a plant into the tables of a schema, in the transaction of the connection. */
export async function* copyRows(
  client: pg.Client,
  schema: string,
  dataset: Dataset,
): AsyncGenerator<LoadProgress> {
  const format = await formatOf('sql', 'none')
  const memory = new Memory()
  const batch = new Map<ViewName, Uint8Array[]>()
  let [bytes, rows, points] = [0, 0, 0]
  for (let part = 0; part < dataset.parts; part++) {
    for (const chunk of encodePart(dataset, part, format, memory)) {
      // a copy: the next chunk overwrites it
      const content = Buffer.from(chunk.content as Uint8Array)
      batch.set(chunk.view, [...(batch.get(chunk.view) ?? []), content])
      bytes += content.length
      rows += chunk.rows
      if (chunk.view === 'v_timeseries_data') points += chunk.rows
    }
    if (bytes < batchBytes && part < dataset.parts - 1) continue
    for (const [name, contents] of batch) await copyInto(client, schema, name, contents)
    batch.clear()
    bytes = 0
    yield { parts: dataset.parts, done: part + 1, rows, points }
  }
}

async function copyInto(
  client: pg.Client,
  schema: string,
  name: ViewName,
  contents: readonly Uint8Array[],
): Promise<void> {
  const { table, columns } = view(name)
  const list = columns.map((column) => column.name).join(', ')
  const stream = client.query(copyFrom(`COPY ${schema}.${table} (${list}) FROM STDIN`))
  const finished = once(stream, 'finish')
  finished.catch(() => {})
  for (const content of contents)
    if (!stream.write(content)) await Promise.race([once(stream, 'drain'), finished])
  stream.end()
  await finished
}

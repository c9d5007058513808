import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { Dataset } from '../../../../fixtures/dataset.ts'
import { encodePart } from '../../../../fixtures/export/encoder.ts'
import { formatOf } from '../../../../fixtures/export/formats.ts'
import type { Progress } from '../../../../fixtures/export/index.ts'
import { Memory } from '../../../../fixtures/export/memory.ts'
import type { ViewName } from '../../../../schemas/generated/types.ts'
import { view } from '../../../../schemas/views.ts'

/** Bytes that are copied at a time: each COPY takes as long as some hundred rows. */
const batchBytes = 16 << 20

/** Copies all rows of a plant into the tables of a schema, in the transaction of the connection. */
export async function* copyRows(
  client: pg.Client,
  schema: string,
  dataset: Dataset,
): AsyncGenerator<Progress> {
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
    for (const [name, contents] of batch) {
      const { table, columns } = view(name)
      const list = columns.map((column) => column.name).join(', ')
      await pipeline(
        Readable.from(contents),
        client.query(copyFrom(`COPY ${schema}.${table} (${list}) FROM STDIN`)),
      )
    }
    batch.clear()
    bytes = 0
    yield { parts: dataset.parts, done: part + 1, rows, points }
  }
}

// A straightforward export: row objects, JSON.stringify, one thread.
import { createWriteStream, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

const [fixtures, views, scale, out] = process.argv.slice(2)
const { createDataset } = await import(fixtures)
const dataset = createDataset({ scale: Number(scale) })

function* lines(rows) {
  let chunk = ''
  for (const row of rows) {
    chunk += JSON.stringify(row) + '\n'
    if (chunk.length < 65_536) continue
    yield chunk
    chunk = ''
  }
  yield chunk
}

mkdirSync(out, { recursive: true })
for (const view of views.split(','))
  await pipeline(Readable.from(lines(dataset.rows(view))), createWriteStream(join(out, `${view}.ndjson`)))

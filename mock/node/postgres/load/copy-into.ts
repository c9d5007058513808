import { once } from 'node:events'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'

/** Runs a COPY ... FROM STDIN with the bytes of its rows. @throws the error of the database */
export async function copyInto(
  client: pg.Client,
  sql: string,
  contents: Iterable<Uint8Array>,
): Promise<void> {
  const stream = client.query(copyFrom(sql))
  const finished = once(stream, 'finish')
  finished.catch(() => {})
  for (const content of contents)
    if (!stream.write(content)) await Promise.race([once(stream, 'drain'), finished])
  stream.end()
  await finished
}

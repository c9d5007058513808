import type { Socket } from 'node:net'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import postgres from 'postgres'
import { Result } from '../../mock/engine/result/result.ts'
import { backend, concat, frontend } from '../../mock/engine/result/wire.ts'
import { Connection } from '../../mock/node/postgres/connect/connection.ts'

/** Rows of one page. */
const pageRows = 5000

/** Reads all rows of a statement once and returns the bytes that it made of them. */
export type Read = (statement: string) => Promise<number>

const ignore = (): void => {}

const portal = 'rows'
const all = (statement: string, rows: number) =>
  concat(
    frontend.parse(statement),
    frontend.bind(portal),
    frontend.describePortal(portal),
    frontend.execute(portal, rows),
    frontend.sync(),
  )

/** Ways to get rows as JSON out of PostgreSQL; `socket` only reads the bytes, which no way can be faster than. */
export const ways: Readonly<Record<string, (url: string) => Promise<Read>>> = {
  /** The bytes of the protocol, thrown away. */
  async socket(url) {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
    stream.removeAllListeners('data')
    return (statement) =>
      new Promise((resolve) => {
        let bytes = 0
        const ready = Buffer.of(backend.readyForQuery, 0, 0, 0, 5, 0x49)
        const read = (chunk: Buffer) => {
          bytes += chunk.length
          if (!chunk.subarray(-6).equals(ready)) return
          stream.off('data', read)
          resolve(bytes)
        }
        stream.on('data', read)
        stream.write(all(statement, 0))
      })
  },

  /** Own reader on the socket of `pg`, pages of a portal, the transcoder of the embedded engine. */
  async reader(url) {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const connection = new Connection(client, '')
    return async (statement) => {
      const result = new Result()
      await connection.exchange(frontend.query('BEGIN READ ONLY'), ignore)
      let request = all(statement, pageRows)
      let bytes = 0
      for (;;) {
        await connection.exchange(request, result.handle)
        const { chunks, last } = result.takePage()
        for (const chunk of chunks) bytes += chunk.length
        if (last) break
        request = concat(frontend.execute(portal, pageRows), frontend.sync())
      }
      await connection.exchange(frontend.query('ROLLBACK'), ignore)
      return bytes
    }
  },

  /** JSON made by the server: COPY of row_to_json, whose lines need their backslashes back. */
  async copy(url) {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    return async (statement) => {
      let bytes = 0
      const stream = client.query(copyTo(`COPY (SELECT row_to_json(r) FROM (${statement}) r) TO STDOUT`))
      await pipeline(stream, async function (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) bytes += chunk.length
      })
      return bytes
    }
  },

  /** The raw mode of postgres.js, a Buffer a value, written as JSON. */
  async raw(url) {
    const sql = postgres(url, { max: 1 })
    return async (statement) => {
      let bytes = 0
      const names = ['id', 'timestamp', 'value', 'data_item_id', 'last_updated_at']
      const quoted = new Set(['id', 'timestamp', 'data_item_id', 'last_updated_at'])
      for await (const rows of sql.unsafe(statement).raw().cursor(pageRows)) {
        const text = (rows as unknown as (Buffer | null)[][]).map(
          (row) =>
            `{${row.map((value, at) => {
              const name = names[at]!
              const json =
                value === null
                  ? 'null'
                  : quoted.has(name)
                    ? JSON.stringify(value.toString())
                    : value.toString()
              return `"${name}":${json}`
            })}}`,
        )
        bytes += Buffer.byteLength(text.join(','))
      }
      return bytes
    }
  },

  /** What one would write first: the rows of `pg` and JSON.stringify. */
  async objects(url) {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    return async (statement) => Buffer.byteLength(JSON.stringify((await client.query(statement)).rows))
  },
}

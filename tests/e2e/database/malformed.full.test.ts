import { afterAll, beforeAll, expect, test } from 'vitest'
import { rowsOf } from '../../../mock/node/pglite/plant.test-helper.ts'
import { createPostgresEngine } from '../../../mock/node/postgres/index.ts'
import { loadPlant } from '../../../mock/node/postgres/load/load-plant.ts'
import { EngineBusy } from '../../../mock/statement.ts'
import { describeWithPostgres, TestDatabase, testPlant } from '../support/postgres/index.ts'
import { TestProxy } from '../support/postgres/proxy.ts'

/** A message of a type with a length that no server sends. */
function malformed(type: string, length: number): Uint8Array {
  const message = Buffer.alloc(64, type)
  message.writeInt32BE(length, 1)
  return message
}
const lengths = [0, -1, 3, 0x7fff_ffff] as const

describeWithPostgres('a malformed message of a database', () => {
  let database: TestDatabase
  let proxy: TestProxy
  beforeAll(async () => {
    database = await TestDatabase.start()
    await database.load()
    proxy = await TestProxy.start(database.primary.port)
  })
  afterAll(async () => {
    proxy?.stop()
    await database?.stop()
  })

  /** The bytes of a client that begin each phase of a connection without TLS. */
  const phases = { startup: 0, authentication: 1, inspection: 3 }

  test.each(
    Object.entries(phases).flatMap(([phase, at]) => [0, 3].map((length) => [phase, length, at] as const)),
  )('is an error of the connection during the %s, with the length %d', async (_, length, at) => {
    const url = `${database.readerUrl(proxy)}?sslmode=disable`
    proxy.answer = (nth) => (nth === at ? malformed('R', length) : undefined)
    await expect(createPostgresEngine({ url })).rejects.toThrow(
      /cannot be used: The server sent a malformed message\.$/,
    )
  })

  test.each(lengths)(
    'with the length %d ends the connection, and the statement runs on another one',
    async (length) => {
      proxy.answer = () => undefined
      const engine = await createPostgresEngine({ url: database.readerUrl(proxy), connections: 2 })
      let left = 1
      proxy.answer = () => (left-- > 0 ? malformed('D', length) : undefined)
      expect(await rowsOf(engine, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
      await engine.close()
    },
  )

  test('is answered with 503 while there is no other connection, and not longer', async () => {
    proxy.answer = () => undefined
    const engine = await createPostgresEngine({ url: database.readerUrl(proxy) })
    proxy.answer = () => malformed('D', 0)
    await expect(rowsOf(engine, 'SELECT 1 AS one')).rejects.toBeInstanceOf(EngineBusy)
    proxy.answer = () => undefined
    expect(await rowsOf(engine, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    await engine.close()
  })

  test('ends a load with a sentence', async () => {
    proxy.answer = (nth) => (nth === 6 ? malformed('R', 0) : undefined)
    const url = `${database.ownerUrl.replace(/:\d+\//, `:${proxy.port}/`)}?sslmode=disable`
    await expect(loadPlant(testPlant, { url })).rejects.toThrow(
      /^The host was lost.* Nothing was loaded: The server sent a malformed message/,
    )
  })
})

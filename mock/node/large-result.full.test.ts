import { request as open } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { contract } from '../../schemas/contract.ts'
import { createMock } from '../msw/index.ts'
import { startServer } from './server.ts'

/** Some 36 MB, more than sockets hold, in some 140 parts, most of them written into the memory of an earlier one. */
const rows = 300_000
const statement = `SELECT g AS n, repeat(chr(65 + g % 26), 100) AS text FROM generate_series(1, ${rows}) g`

let server: Awaited<ReturnType<typeof startServer>>
beforeAll(async () => {
  server = await startServer({ scale: 0.01, tokens: ['t'], workers: 2 })
  // no statement waits for an engine, which may take longer to start on a busy machine than a statement waits
  const engines = async () => (await (await fetch(`${server.baseUrl}/_mock/health`)).json()) as object
  await vi.waitFor(async () => expect(await engines()).toMatchObject({ engines: { idle: 2 } }), 60_000)
})
afterAll(() => server?.close())

/** The body of an answer, of which nothing is read at first. */
function bodyOf(headers: Record<string, string>): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const url = `${server.baseUrl}${contract.endpoint.path}`
    const request = open(url, {
      method: 'POST',
      headers: { authorization: 'Bearer t', 'content-type': 'application/json', ...headers },
    })
    request.on('error', reject).on('response', async (response) => {
      await sleep(500)
      const all: Buffer[] = []
      for await (const part of response) all.push(part as Buffer)
      resolve(Buffer.concat(all))
    })
    request.end(JSON.stringify({ statement }))
  })
}

function expectAllRows(text: string): void {
  const { data } = JSON.parse(text) as { data: { n: number; text: string }[] }
  expect(data).toHaveLength(rows)
  const wrong = data.findIndex(
    ({ n, text }, at) => n !== at + 1 || text !== String.fromCharCode(65 + (n % 26)).repeat(100),
  )
  expect(wrong).toBe(-1)
}

test('slow readers at once get every row of a large result', async () => {
  const bodies = await Promise.all([bodyOf({}), bodyOf({})])
  for (const body of bodies) expectAllRows(String(body))
})

test('a compressed large result has every row', async () => {
  expectAllRows(String(gunzipSync(await bodyOf({ 'accept-encoding': 'gzip' }))))
})

test('a Response keeps its parts while it is read', async () => {
  const mock = await createMock({ scale: 0.01 })
  try {
    const response = await mock.fetch(
      new Request(`http://mock.test${contract.endpoint.path}`, {
        method: 'POST',
        headers: { authorization: `Bearer t`, 'content-type': 'application/json' },
        body: JSON.stringify({ statement }),
      }),
    )
    expectAllRows(await response.text())
  } finally {
    await mock.close()
  }
})

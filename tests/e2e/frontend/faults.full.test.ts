import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type Server } from '../../../mock/index.ts'
import { ask, askMany } from '../support/ask.ts'

let server: Server
const log: string[] = []

beforeAll(async () => {
  server = await startServer({ scale: 0.01, maxWorkers: 2, log: (line) => log.push(line) })
})
afterAll(() => server.close())

/** Writes `piece` again and again until the server ends the connection. @returns the response */
function keepWriting(opening: string, piece: string, everyMs: number): Promise<string> {
  const { hostname, port } = new URL(server.baseUrl)
  return new Promise((resolve) => {
    let response = ''
    const socket = connect(Number(port), hostname)
    socket.write(opening)
    const timer = setInterval(() => socket.writableNeedDrain || socket.write(piece), everyMs)
    socket.setEncoding('utf8').on('data', (text: string) => (response += text))
    socket.on('error', () => {}) // the server may end the connection with a reset
    socket.once('close', () => {
      clearInterval(timer)
      resolve(response)
    })
  })
}

const head = (length: string) =>
  `POST /external/v1/statements/ HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${server.token}\r\ncontent-type: application/json\r\n${length}\r\n\r\n`

/** Sends statements until `done` settles and expects right answers. @returns the number of statements */
async function askUntil(
  done: Promise<unknown>,
  target: Pick<Server, 'baseUrl' | 'token'> = server,
): Promise<number> {
  const waiting = new AbortController()
  void done.finally(() => waiting.abort())
  let count = 0
  for (; !waiting.signal.aborted; count++) {
    expect(await ask(target, `SELECT ${count} AS n`)).toMatchObject({ status: 200, rows: [{ n: count }] })
    await sleep(20)
  }
  return count
}

test('a hundred clients that send one byte a second time out and delay no other client', async () => {
  const bodies = Array.from({ length: 50 }, () => keepWriting(head('content-length: 4000'), ' ', 1000))
  const heads = Array.from({ length: 50 }, () => keepWriting('POST / HTTP/1.1\r\nx-slow: ', 'x', 1000))
  const all = Promise.all([...bodies, ...heads])
  expect(await askUntil(all)).toBeGreaterThan(50)
  for (const response of await all) expect(response).toMatch(/^HTTP\/1\.1 408 /)
  expect(log.filter((line) => /^408 error .*did not arrive within 10 s/.test(line))).toHaveLength(50)
})

test('a body without an end is refused while the client is still sending', async () => {
  const piece = `10000\r\n${' '.repeat(1 << 16)}\r\n`
  const all = Promise.all(
    Array.from({ length: 10 }, () => keepWriting(head('transfer-encoding: chunked'), piece, 1)),
  )
  expect(await askUntil(all)).toBeGreaterThan(0)
  for (const response of await all) expect(response).toMatch(/^HTTP\/1\.1 413 [^]*longer than 1 MiB/)
  expect(log.filter((line) => /^413 error .*longer than 1 MiB/.test(line))).toHaveLength(10)
})

test('statements that wait longer than the time limit get 503 with Retry-After, and those of another token are served', async () => {
  const tokens = ['greedy', 'modest']
  const busy = await startServer({ scale: 0.01, maxWorkers: 3, timeLimitMs: 8_000, tokens })
  try {
    const [greedy, modest] = tokens.map((token) => ({ baseUrl: busy.baseUrl, token }))
    const asleep = askMany(greedy!, 700, 'FROM pg_sleep(5)')
    expect(await askUntil(asleep, modest)).toBeGreaterThan(50)
    const refused = (await asleep).filter(({ status }) => status !== 200)
    expect(refused.length).toBeGreaterThan(690)
    expect(refused.filter(({ status, retryAfter }) => status !== 503 || retryAfter !== '1')).toEqual([])
  } finally {
    await busy.close()
  }
})

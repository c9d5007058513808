import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { contract } from '../../../schemas/index.ts'
import { launchChromium } from '../support/chromium.ts'
import { type Finished, runCli, startCliServer } from '../support/cli.ts'
import { parseCli } from '../support/parse-cli.ts'

const TOKEN = 'a-secret-token-of-the-page'
const { path } = contract.endpoint

let browser: Browser
let folder: string
beforeAll(async () => {
  browser = await launchChromium()
  folder = mkdtempSync(join(tmpdir(), 'traffic-cli-'))
})
afterAll(async () => {
  await browser?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Records what a page does, as docs/vendor.md shows it, and judges the file. */
async function recorded(
  url: string,
  use: (page: Page) => Promise<unknown>,
  judge: (args: string[]) => Promise<Finished> = parseCli,
): Promise<Finished> {
  const file = join(folder, 'seen.har')
  const context = await browser.newContext({ recordHar: { path: file } })
  const page = await context.newPage()
  await page.goto(url)
  await use(page)
  await context.close()
  return judge(['traffic', file])
}

/** Sends a statement from the page; a failure of the connection is none of the test. */
const ask = (page: Page, url: string, statement: string) =>
  page.evaluate(
    `fetch(${JSON.stringify(url)}, {
      method: 'POST',
      headers: ${JSON.stringify({ authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' })},
      body: ${JSON.stringify(JSON.stringify({ statement }))},
    }).then((answer) => answer.text()).catch(() => {})`,
  )

test('the reference server and a page that keep the rules pass', async () => {
  const server = await startCliServer(['--scale', '0.01', '--token', TOKEN])
  onTestFinished(server.stop)
  const use = async (page: Page) => {
    await ask(page, server.baseUrl + path, 'SELECT id, name FROM v_quantities LIMIT 3')
    await ask(page, server.baseUrl + path, 'SELECT * FROM v_no_such_view')
  }
  const { exitCode, stdout } = await recorded(`${server.baseUrl}/_mock/ready`, use, runCli)
  expect(stdout).toMatch(/^2 exchanges\n/)
  for (const id of ['REQ-HTTP-4', 'REQ-SQL-3', 'REQ-VIEW-TYPES:v_quantities', 'REQ-AUTH-4', 'REQ-HTTP-13'])
    expect(stdout).toMatch(new RegExp(`✓ pass +${id} `))
  expect(stdout).toContain(`GET ${server.baseUrl}/_mock/ready`)
  expect(stdout).not.toContain(TOKEN)
  expect(exitCode).toBe(0)
})

/** A service that answers each POST in one way, also to pages of other origins. */
async function service(
  answer: (outgoing: ServerResponse, incoming: IncomingMessage) => unknown,
): Promise<string> {
  const server = createServer((incoming, outgoing) => {
    for (const name of ['origin', 'headers']) outgoing.setHeader(`access-control-allow-${name}`, '*')
    outgoing.setHeader('access-control-allow-headers', 'authorization, content-type')
    outgoing.setHeader('content-type', incoming.method === 'POST' ? 'application/json' : 'text/html')
    incoming
      .resume()
      .on('end', () => (incoming.method === 'POST' ? answer(outgoing, incoming) : outgoing.end()))
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const answerOf = (data: unknown[]) => JSON.stringify({ data, status: { state: 'success', message: 'ok' } })
const quantities = [
  { id: 'q1', name: 'pH' },
  { id: 'q2', name: 'DO' },
]
const good = answerOf(quantities.slice(0, 1))

describe('a page of Chromium that gets', () => {
  test.each<[string, (outgoing: ServerResponse) => unknown, number, RegExp]>([
    [
      'a compressed answer',
      (outgoing) => outgoing.setHeader('content-encoding', 'gzip').end(gzipSync(answerOf(quantities))),
      1,
      /✗ fail +REQ-SQL-3/,
    ],
    [
      'bytes that are not UTF-8',
      (outgoing) => outgoing.end(Buffer.from(good.replace('pH', '\u00e9'), 'latin1')),
      1,
      /✗ fail +REQ-HTTP-4 .*not UTF-8/,
    ],
    [
      'a byte order mark',
      (outgoing) => outgoing.end(`\uFEFF${good}`),
      3,
      /1 exchange not judged: the file lacks a body or a part of it/,
    ],
    ['no body', (outgoing) => outgoing.end(), 1, /✗ fail +REQ-HTTP-4 .*no body/],
    ['a timeout without a body', (outgoing) => outgoing.writeHead(504).end(), 0, /1 exchange\n/],
    [
      'a part of an answer',
      (outgoing) => {
        outgoing.setHeader('content-length', good.length)
        outgoing.write(good.slice(0, 20), () => outgoing.destroy())
      },
      3,
      /1 exchange not judged: the file lacks the answer or its end/,
    ],
    [
      'no answer',
      (outgoing) => outgoing.destroy(),
      3,
      /1 exchange not judged: the file lacks the answer or its end/,
    ],
  ])('%s shows it', async (_, answer, exitCode, told) => {
    const url = await service(answer)
    const found = await recorded(url, (page) =>
      ask(page, url + path, 'SELECT id, name FROM v_quantities LIMIT 1'),
    )
    expect(found.stdout).toMatch(told)
    expect(found.exitCode, found.stdout).toBe(exitCode)
  })
})

describe('a page of Chromium that', () => {
  const statement = 'SELECT id, name FROM v_quantities LIMIT 1'

  test('asks another origin also sends a preflight, which is no exchange', async () => {
    const [site, url] = [await service(() => {}), await service((outgoing) => outgoing.end(good))]
    const { exitCode, stdout } = await recorded(site, (page) => ask(page, url + path, statement))
    expect(stdout).toMatch(/^1 exchange\n/)
    expect(exitCode).toBe(0)
  })

  test('leaves before the answer breaks nothing', async () => {
    const url = await service(() => {})
    const { exitCode, stdout } = await recorded(url, async (page) => {
      const failed = page.waitForEvent('requestfailed')
      await page.evaluate(
        `fetch(${JSON.stringify(url + path)}, {
          method: 'POST',
          headers: { authorization: 'Bearer ${TOKEN}', 'content-type': 'application/json' },
          body: '{"statement":"SELECT 1"}',
          signal: AbortSignal.timeout(200),
        }).catch(() => {})`,
      )
      await failed
    })
    expect(stdout).toMatch(/^1 exchange, 1 aborted\n/)
    expect(exitCode).toBe(3)
  })
})

import { statSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDataset, scenarios } from '../../../fixtures/index.ts'
import { createReference } from '../../../mock/index.ts'
import { ask } from '../support/ask.ts'
import { launchChromium } from '../support/chromium.ts'
import { createPageProject, type Served, serveBuilt, serveSources } from '../support/page-project.ts'
import { scratch } from '../support/vendor.ts'

/** The file of the screenshot, for people to look at. */
const screenshot = 'node_modules/.cache/bioprocess-sql-e2e/service-worker-page.png'

const project = scratch()
let browser: Browser
let built: Served

beforeAll(async () => {
  createPageProject(project.dir)
  built = await serveBuilt(project.dir)
  browser = await launchChromium()
}, 300_000)
afterAll(async () => {
  await browser?.close()
  await built?.close()
  project.remove()
})

/** Runs code in the page. The code is a text, which has no access to this file. */
const inPage = <T>(page: Page, code: string): Promise<T> => page.evaluate(`(async () => { ${code} })()`)

async function openExample(url: string, page?: Page): Promise<{ page: Page; problems: string[] }> {
  page ??= await browser.newPage()
  const problems: string[] = []
  page.on('pageerror', ({ message }) => problems.push(message))
  await page.goto(url)
  await page.waitForFunction(`document.querySelector('#state').textContent !== 'Starting …'`, null, {
    timeout: 60_000,
  })
  return { page, problems }
}

/** Code that defines a function in the empty page: it sends a statement to a mock. */
const defineAsk = `const ask = async (mock, statement) => (await (await mock.fetch('https://a.example/external/v1/statements/', {
      method: 'POST',
      headers: { authorization: 'Bearer x', 'content-type': 'application/json' },
      body: JSON.stringify({ statement }),
    })).json())
    const { createMock } = window.mocks;`

/** Opens the empty page, optionally with a Content-Security-Policy. */
async function openEmptyPage(policy?: string): Promise<Page> {
  const page = await browser.newPage()
  await page.route('**/empty.html', async (route) => {
    const response = await route.fetch()
    const headers = { ...response.headers(), ...(policy && { 'content-security-policy': policy }) }
    await route.fulfill({ response, headers })
  })
  await page.goto(`${built.url}empty.html`)
  await page.waitForFunction('window.mocks !== undefined')
  return page
}

describe('the example page with a service worker', () => {
  let example: Awaited<ReturnType<typeof openExample>>
  beforeAll(async () => {
    example = await openExample(built.url)
  })
  afterAll(() => example?.page.close())

  const expectPlant = async ({ page, problems }: typeof example) => {
    expect(await page.textContent('#state')).toBe('8 runs.')
    expect(await page.locator('#runs tr').count()).toBe(8)
    expect(await page.textContent('#caption')).toMatch(/: .+, .*, \d+ points from/)
    expect(await page.locator('#trend polyline').count()).toBe(1)
    await page.screenshot({ path: screenshot })
    expect(problems).toEqual([])
  }

  test('shows the plant: from its sources, where Vite sends the engine as it is in the package', async () => {
    const served = await serveSources(project.dir)
    const page = await browser.newPage()
    const sent: Promise<readonly [file: string, bytes: number]>[] = []
    page.on('response', (response) => {
      const { pathname } = new URL(response.url())
      if (response.url().startsWith(served.url))
        sent.push(response.body().then((body) => [pathname, body.length] as const))
    })
    await expectPlant(await openExample(served.url, page))
    // in a module that Vite makes of a dependency, its source map would be inline
    const large = (await Promise.all(sent)).filter(([, bytes]) => bytes > 1.5e6)
    expect(large.length).toBeGreaterThan(1)
    for (const [file, bytes] of large)
      // Vite adds a version to the names of imports
      expect([file, bytes - statSync(join(project.dir, file)).size < 100]).toEqual([file, true])
    expect(large.reduce((sum, [, bytes]) => sum + bytes, 0)).toBeLessThan(8e6)
    await page.close()
    await served.close()
  })

  test('shows the plant: built', () => expectPlant(example))

  test('gets the same answers as from the reference in node', async () => {
    const statement = `SELECT *, now() FROM v_timeseries WHERE last_updated_at > now() - interval '1 day' ORDER BY id LIMIT 40`
    const reference = await createReference({ scale: 0.01 })
    const { rows } = await ask(reference, statement, reference.fetch)
    await reference.close()
    expect(await inPage(example.page, `return window.query(${JSON.stringify(statement)})`)).toEqual(rows)
    expect(rows).toHaveLength(40)
  })

  test('ends a statement over the limit without blocking the page, and answers the next one', async () => {
    const found = await inPage(
      example.page,
      `let beats = 0
       const timer = setInterval(() => beats++, 20)
       const refused = await window.query('SELECT pg_sleep(60)').catch(({ message }) => message)
       clearInterval(timer)
       return { refused, alive: beats > 20, next: await window.query('SELECT 1 AS n') }`,
    )
    expect(found).toEqual({
      refused: expect.stringContaining('longer than 2000 ms'),
      alive: true,
      next: [{ n: 1 }],
    })
  })
})

describe('the mock in a page', () => {
  test('loads the engine with the first statement, and at most 10 MB of it', async () => {
    const page = await browser.newPage()
    const bodies: Promise<number>[] = []
    page.on('response', (response) => {
      if (response.url().startsWith('http'))
        bodies.push(response.body().then((body) => gzipSync(body).length))
    })
    const transferred = async () => (await Promise.all(bodies)).reduce((sum, bytes) => sum + bytes, 0)
    await page.goto(`${built.url}empty.html`)
    await page.waitForFunction('window.mocks !== undefined')
    expect(await transferred()).toBeLessThan(300_000)
    await inPage(page, `${defineAsk} await createMock().ready()`)
    const all = await transferred()
    expect(all).toBeGreaterThan(5_000_000)
    expect(all).toBeLessThan(10_000_000)
    await page.close()
  })

  test('serves own rows and plants of other seeds', async () => {
    const page = await openEmptyPage()
    const archived = {
      record_id: 'r1',
      table_name: 'v_formulas',
      archived_at: '2026-01-01T00:00:00.000000+00:00',
    }
    const found = await inPage<Record<string, unknown>>(
      page,
      `${defineAsk}
       const own = createMock({ data: { v_archived_records: [${JSON.stringify(archived)}] } })
       const wrong = createMock({ data: { v_archived_records: [{ record_id: 1 }] } })
       const other = createMock({ seed: 2 })
       const found = {
         own: (await ask(own, 'SELECT * FROM v_archived_records')).data,
         none: (await ask(own, 'SELECT count(*) AS n FROM v_bioprocesses')).data,
         wrong: await wrong.ready().catch(({ message }) => message),
         other: (await ask(other, 'SELECT id FROM v_quantities ORDER BY id LIMIT 1')).data,
         refused: (await ask(other, "SELECT set_config('role', 'postgres', true)")).status.message,
       }
       await Promise.all([own, other].map((mock) => mock.close()))
       return found`,
    )
    const [firstId] = [...createDataset({ seed: 2, scale: 0.01 }).rows('v_quantities')]
      .map(({ id }) => id)
      .sort()
    expect(found).toEqual({
      own: [archived],
      none: [{ n: 0 }],
      wrong: expect.stringContaining('v_archived_records[0] '),
      other: [{ id: firstId }],
      refused: 'Error executing statement',
    })
    await page.close()
  })

  test('serves a scenario', async () => {
    const page = await openEmptyPage()
    const found = await inPage(
      page,
      `${defineAsk}
       const mock = createMock({ scenario: 'deleted' })
       const { data } = await ask(mock, "SELECT (SELECT count(*) FROM v_timeseries_data) AS points, max(record_id) AS archived FROM v_archived_records WHERE table_name = 'bioprocesses'")
       await mock.close()
       return data`,
    )
    const points = [...createDataset({ scenario: 'deleted' }).rows('v_timeseries_data')].length
    expect(found).toEqual([{ points, archived: scenarios.deleted.ids.archived }])
    await page.close()
  })

  const remedy = "script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:"

  test.each([
    ["script-src 'self'; worker-src 'self' blob:", 'The page does not let the mock run WebAssembly.'],
    ["script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'", 'worker of the mock did not start.'],
  ])('names the directives that a page with the policy %s needs', async (policy, sentence) => {
    const page = await openEmptyPage(policy)
    const message = await inPage<string>(
      page,
      `${defineAsk} return createMock().ready().then(() => 'ready', ({ message }) => message)`,
    )
    expect(message).toContain(sentence)
    expect(message).toContain(remedy)
    await page.close()
  })

  test('runs in a page with the directives that it names', async () => {
    const page = await openEmptyPage(`default-src 'self'; ${remedy}`)
    expect(await inPage(page, `${defineAsk} return (await ask(createMock(), 'SELECT 1 AS n')).data`)).toEqual(
      [{ n: 1 }],
    )
    await page.close()
  })

  test.each([
    ['are no workers', 'delete window.Worker', 'runs its database in a Worker, and there is none here'],
    [
      'are workers that the page refuses',
      "window.Worker = class { constructor() { throw new Error('SecurityError') } }",
      'does not let the mock start its worker (Error: SecurityError). Let the Content-Security-Policy',
    ],
  ])('rejects without an unhandled rejection where there %s', async (_, change, sentence) => {
    const page = await openEmptyPage()
    const problems: string[] = []
    page.on('pageerror', ({ message }) => problems.push(message))
    const message = await inPage(
      page,
      `${defineAsk} ${change}; return createMock().ready().catch(({ message }) => message)`,
    )
    expect(message).toContain(sentence)
    // an unhandled rejection is reported in a later task
    await inPage(page, 'await new Promise((resolve) => setTimeout(resolve, 50))')
    expect(problems).toEqual([])
    await page.close()
  })
})

describe('a page without service workers', () => {
  test('is answered by the mock if the browser offers no service worker, as over plain http', async () => {
    const plain = await browser.newPage()
    await plain.route('http://plant.example/**', async (route) => {
      const { pathname } = new URL(route.request().url())
      await route.fulfill({ response: await route.fetch({ url: new URL(pathname, built.url).href }) })
    })
    const { page, problems } = await openExample('http://plant.example/', plain)
    expect(await inPage(page, "return [isSecureContext, 'serviceWorker' in navigator]")).toEqual([
      false,
      false,
    ])
    expect(await page.textContent('#state')).toBe('8 runs.')
    expect(problems).toEqual([])
    await page.close()
  })

  test('gets an error from msw if they are refused, while the fetch of the mock answers', async () => {
    const page = await openEmptyPage("worker-src blob:; script-src 'self' 'wasm-unsafe-eval'")
    const found = await inPage(
      page,
      `${defineAsk}
       const mock = createMock()
       const { setupWorker } = await window.loadMsw()
       const start = setupWorker(...mock.handlers).start({ quiet: true })
       return {
         refused: await start.then(() => 'started', ({ message }) => message),
         data: (await ask(mock, 'SELECT 1 AS n')).data,
       }`,
    )
    expect(found).toEqual({
      refused: expect.stringContaining('Failed to register the Service Worker'),
      data: [{ n: 1 }],
    })
    await page.close()
  })
})

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page, Request } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectSession } from '../../../mock/control/connect-session.ts'
import { ask } from '../support/ask.ts'
import { type CliServer, runCli, startCliServer } from '../support/cli.ts'
import { openConsole, overflow, serveStatic, violations } from '../support/console-page.ts'
import {
  choose,
  clipboard,
  consoleSuite,
  panel,
  result,
  rowsOf,
  runButton,
  screenshots,
  statement,
} from '../support/console-suite.ts'
import { scratch } from '../support/vendor.ts'

const tabs = ['runs', 'ask', 'plot', 'traffic', 'contract', 'judge'] as const

const { browser: browserOf, server: serverOf, open, told } = consoleSuite()

/** Gives another token where an error asks for one. */
async function give(page: Page, token: string): Promise<void> {
  await page.getByRole('alert').getByRole('button', { name: 'Give another token' }).click()
  await page.getByLabel('Bearer token').fill(token)
  await page.getByRole('button', { name: 'Use', exact: true }).click()
}
/** The processor time of a page so far, in milliseconds: it does not depend on what else the machine does. */
async function taskClock(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return 1000 * metrics.find(({ name }) => name === 'TaskDuration')!.value
  }
}

describe('the first view', () => {
  test('needs at most 60 kB and a second of processor time until it can be used', async () => {
    const page = await browserOf().newPage()
    const processorTime = await taskClock(page)
    const finished: Request[] = []
    page.on('requestfinished', (request) => finished.push(request))
    await page.goto(`${serverOf().baseUrl}/`)
    await rowsOf(page).first().waitFor()
    const usableAfter = await processorTime()
    // the stream of requests is open, so the network is never idle
    await page.waitForTimeout(1000)
    // what is armed is asked for again each second
    const first = finished.filter(
      (one, at) => finished.findIndex((other) => other.url() === one.url()) === at,
    )
    const sizes = await Promise.all(first.map((request) => request.sizes()))
    const bytes = sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0)
    console.log(`first view: ${bytes} bytes, usable after ${Math.round(usableAfter)} ms of processor time`)
    expect(bytes).toBeGreaterThan(10_000)
    expect(bytes).toBeLessThanOrEqual(60_000)
    expect(usableAfter).toBeGreaterThan(0)
    expect(usableAfter).toBeLessThanOrEqual(1000)
  })
})

describe('Ask', () => {
  test('runs a statement, and scrolls 100,000 rows', async () => {
    const { page, problems } = await open(statement('SELECT * FROM v_timeseries_data LIMIT 100000'))
    await runButton(page).click()
    await result(page).getByText('100,000 rows').waitFor()
    expect(await page.locator('.grid tbody tr').count()).toBeLessThan(100)
    await page.evaluate("document.querySelector('.grid').scrollTop = 1e9")
    await page.locator('.grid tbody th', { hasText: /^100000$/ }).waitFor()
    expect(problems).toEqual([])
  })

  test('completes views and columns, and notes what the contract does not document', async () => {
    const { page, problems } = await open(statement('SELECT  FROM v_bioprocesses b ORDER BY b.id'))
    await page.getByText('It does not document anything but columns in the select list').waitFor()
    await page.getByLabel('SQL statement').focus()
    await page.locator('.cm-content').waitFor()
    const write = async (text: string) => {
      await page.keyboard.press('Control+A')
      await page.keyboard.type(text)
      await page.keyboard.press('Escape')
    }
    await write('SELECT * FROM v_timeseries t LEFT JOIN v_bioprocesses b ON t.')
    await page.keyboard.press('Control+Space')
    await page.locator('.cm-tooltip-autocomplete', { hasText: 'bioprocess_id' }).waitFor()
    await write('SELECT id FROM v_bioprocesses ORDER BY id')
    await page.getByText('It does not document ORDER BY').waitFor()
    await page.keyboard.press('Control+Enter')
    await result(page).waitFor()
    await expect.poll(() => page.url()).toContain('ORDER+BY')
    expect(page.url()).not.toContain((await told()).token)
    expect(problems).toEqual([])
  })

  test("shows errors in the contract's words with their cause", async () => {
    const { page } = await open(statement('SELECT nope FROM v_bioprocesses'))
    await runButton(page).click()
    const alert = page.getByRole('alert')
    await alert.getByText('Error executing statement').waitFor()
    await alert.getByText('SqlError: column "nope" does not exist').waitFor()
    const place =
      /\nLINE 1: SELECT nope FROM v_bioprocesses\n {15}\^\nHINT: .* the column "v_bioprocesses\.name"\.$/
    expect(await alert.locator('pre').textContent()).toMatch(place)
    await choose(page, 'Examples', 'A view that does not exist')
    await alert.getByText('relation "v_unknown" does not exist').first().waitFor()
    await page.evaluate(`location.hash = '#traffic?filter="SELECT nope"'`)
    await rowsOf(page).first().getByText('column "nope" does not exist').click()
    const cause = panel(page).locator('pre', { hasText: 'LINE 1' })
    expect(await cause.textContent()).toMatch(place)
    // no line of it is broken, which would move the caret
    const lines = () => cause.evaluate((pre) => new Set([...pre.getClientRects()].map(({ top }) => top)).size)
    expect(await lines()).toBe(4)
    await page.screenshot({ path: join(screenshots, 'traffic-failed.png') })
  })

  test('cancels a statement', async () => {
    const { page } = await open(statement('SELECT count(*) FROM v_timeseries_data a, v_timeseries_data b'))
    // a link runs its SELECT
    await page.getByText('Running …').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('Cancelled after').waitFor()
    await runButton(page).click()
    await page.getByText('Running …').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('Cancelled after').waitFor()
  })

  test('copies curl, TypeScript and JSON without a token', async () => {
    const { page } = await open(statement("SELECT name AS a FROM v_quantities WHERE name = 'DO'"))
    await runButton(page).click()
    await result(page).waitFor()
    const copied = async (menu: string, name: string) => {
      await choose(page, menu, name)
      await page.getByText('Copied:').first().waitFor()
      return clipboard(page)
    }
    expect(JSON.parse(await copied('Copy or save', 'Copy JSON'))).toEqual([{ a: 'DO' }])
    const { token } = await told()
    for (const [name, part] of [
      ['curl', 'curl -sS -X POST'],
      ['TypeScript (typed client)', 'createClient('],
    ] as const) {
      const text = await copied('Copy', name)
      expect(text).toContain(part)
      expect(text).not.toContain(token)
    }
  })

  test('shows, draws and copies numbers as the service wrote them', async () => {
    const sql = `SELECT 9007199254740993 AS n, 12345678901234567890 AS m, 1.10 AS d, json_build_object('a', 2.50) AS o`
    const { page, problems } = await open(statement(sql))
    await runButton(page).click()
    const texts = ['9007199254740993', '12345678901234567890', '1.10', '{"a":2.50}']
    await result(page).waitFor()
    expect(await page.locator('.grid tbody td').allTextContents()).toEqual(texts)
    expect(await page.locator('.grid tbody td.number').count()).toBe(3)
    const json = `"n": 9007199254740993, "m": 12345678901234567890, "d": 1.10, "o": { "a": 2.50 }`
    const copied = async () => (await clipboard(page)).replaceAll(/\s+/g, ' ')
    await choose(page, 'Copy or save', 'Copy JSON')
    await expect.poll(copied).toBe(`[ { ${json} } ]`)
    await page.evaluate("location.hash = '#traffic?filter=9007199254740993'")
    await rowsOf(page).first().click()
    await panel(page).getByRole('link', { name: 'Open in Ask' }).click()
    await result(page).getByText('1 row', { exact: true }).waitFor()
    await choose(page, 'Copy or save', 'Copy JSON')
    await expect.poll(copied).toBe(`[ { ${json} } ]`)
    await page.evaluate(`location.hash = '${statement('SELECT 1.10 AS x, 2.50 AS y')}'`)
    await page.getByText('1 point').waitFor()
    expect(problems).toEqual([])
  })

  test('never takes a text of the data for HTML', async () => {
    const text = '<img src=x onerror="window.broken = 1">'
    const { page, problems } = await open(
      statement(`SELECT '${text}' AS a, '${text}' AS "${text.replaceAll('"', '')}"`),
    )
    await runButton(page).click()
    await result(page).getByText(text).first().waitFor()
    expect(await page.evaluate('[window.broken, document.querySelectorAll("main img").length]')).toEqual([
      undefined,
      0,
    ])
    expect(problems).toEqual([])
  })
})

describe('Plot', () => {
  test('lays three runs over each other, aligned on their induction', async () => {
    const { page, problems } = await open('#plot')
    await page.getByRole('group', { name: /^DO, %: / }).waitFor()
    await page.getByLabel('Align on').selectOption('induction')
    const panel = page.getByRole('group', { name: /^DO, %: \S+, \S+, \S+\. Arrow keys/ })
    await panel.waitFor()
    await page.getByText('hours after the induction').first().waitFor({ state: 'attached' })
    expect(await page.getByRole('list', { name: 'Runs in the plot' }).locator('li').count()).toBe(3)
    expect(page.url()).toContain('align=induction')
    for (const name of ['DO', 'OD600']) await page.getByRole('checkbox', { name, exact: true }).uncheck()
    await page.getByText('None of the chosen runs has a chosen quantity.').waitFor()
    await page.getByRole('checkbox', { name: 'pH', exact: true }).check()
    await page.getByRole('group', { name: /^pH: / }).waitFor()
    expect(problems).toEqual([])
  })

  test('says what a point of a recorder is, of each run, and nothing of samples', async () => {
    const { page } = await open('#plot')
    const panel = (name: string) => page.locator('.chart', { hasText: name })
    await panel('DO, %')
      .getByText(/^A point is the mean of [\d.]+ (min|h)/)
      .waitFor()
    expect(await panel('OD600').getByText('A point').count()).toBe(0)
    const { rows } = await ask(
      { baseUrl: serverOf().baseUrl, ...(await told()) },
      "SELECT (SELECT id FROM v_bioprocesses WHERE status = 'Completed' AND name LIKE 'EC-%' LIMIT 1) AS a, (SELECT id FROM v_bioprocesses WHERE status = 'Completed' AND name LIKE 'CH-%' LIMIT 1) AS b",
    )
    await page.evaluate(`location.hash = 'plot?runs=${String(rows[0]!['a'])},${String(rows[0]!['b'])}&q=DO'`)
    await panel('DO, %')
      .getByText(/^A point is the mean of 20 min \(EC-\S+\), 100 min \(CH-\S+\)\.$/)
      .waitFor()
  })

  test('pans 100,000 points smoothly', async () => {
    const { page, problems } = await open(
      statement('SELECT timestamp, value FROM v_timeseries_data LIMIT 100000'),
    )
    await page.getByText(/^\d\d\d?,\d{3} points/).waitFor()
    // all of it does not move
    await page.locator('.chart').focus()
    await page.keyboard.press('+')
    await expect.poll(() => page.url()).toContain('view=')
    const processorTime = await taskClock(page)
    const before = await processorTime()
    await page.evaluate(`(async () => {
      const over = document.querySelector('.u-over')
      const { left, top, width } = over.getBoundingClientRect()
      const send = (type, x) => over.dispatchEvent(new PointerEvent(type, { clientX: left + x, clientY: top + 50, pointerId: 1, bubbles: true }))
      over.setPointerCapture = () => {}
      send('pointerdown', width / 2)
      for (let step = 0; step < 60; step++) {
        send('pointermove', width / 2 - 4 * step)
        await new Promise(requestAnimationFrame)
      }
      send('pointerup', width / 2)
    })()`)
    const perFrame = ((await processorTime()) - before) / 60
    console.log(`100,000 points: a frame takes ${perFrame.toFixed(1)} ms of processor time`)
    expect(perFrame).toBeGreaterThan(0)
    expect(perFrame).toBeLessThan(50)
    expect(problems).toEqual([])
  })
})

describe('Traffic', () => {
  test('shows requests as they arrive, and takes one away', async () => {
    const { page, problems } = await open('#traffic')
    const text = `SELECT id FROM v_formulas\n-- ${'long '.repeat(60)}\nLIMIT 2`
    await ask({ baseUrl: serverOf().baseUrl, ...(await told()) }, text)
    await page.getByLabel('Search the requests').fill('v_formulas -- long')
    await rowsOf(page).first().waitFor()
    // another address of the same tab has another filter
    await page.evaluate("location.hash = '#traffic?filter=v_nothing'")
    await page.getByText(/No row has “v_nothing” .* hidden by the filter/).waitFor()
    await page.goBack()
    await rowsOf(page).first().click()
    await panel(page).locator('pre', { hasText: 'LIMIT 2' }).first().waitFor()
    for (const [name, part] of [
      ['msw test', 'createMock('],
      ['curl', 'SELECT id FROM v_formulas'],
    ] as const) {
      await panel(page).locator('.menu summary', { hasText: 'Copy as' }).click()
      await page.getByRole('button', { name, exact: true }).click()
      await expect.poll(() => clipboard(page)).toContain(part)
    }
    expect(problems).toEqual([])
  })

  test('shows of a refused request what was sent and what came back, and who sent it', async () => {
    const url = `${serverOf().baseUrl}/external/v1/statements/`
    const send = (headers: Record<string, string>) =>
      fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ statement: 'SELECT id FROM v_experiments LIMIT 7' }),
      })
    await send({ authorization: 'Bearer wrong', 'user-agent': 'dashboard/2.1' })
    const { token } = await told()
    await send({ authorization: `Bearer ${token}`, 'user-agent': 'suite/1 (+conformance)' })
    const { page, problems } = await open(statement('SELECT id FROM v_experiments LIMIT 7'))
    await result(page).getByText('7 rows').waitFor()
    await page.evaluate(`location.hash = '#traffic?filter="LIMIT 7"'`)
    await expect.poll(() => rowsOf(page).count()).toBe(3)
    await page.getByLabel('Hide this page and the suite').check()
    await expect.poll(() => rowsOf(page).count()).toBe(1)
    await expect.poll(() => page.url()).toContain('client')
    const row = rowsOf(page).first()
    const widths = await Promise.all(
      ['statement', 'cause'].map(async (name) =>
        page.getByRole('columnheader', { name, exact: true }).evaluate((head) => head.clientWidth),
      ),
    )
    for (const width of widths) expect(width).toBeGreaterThan(250)
    await row.getByText('dashboard/2.1').click()
    await panel(page)
      .getByRole('heading', { name: /^401 at / })
      .waitFor()
    const got = panel(page).locator('pre', { hasText: /^HTTP 401\n/ })
    await got.filter({ hasText: 'www-authenticate: Bearer' }).waitFor()
    await got.filter({ hasText: '"message":"The token is not valid.' }).waitFor()
    await panel(page).getByRole('button', { name: 'Copy sent' }).click()
    await expect.poll(() => clipboard(page)).toBe('{"statement":"SELECT id FROM v_experiments LIMIT 7"}')
    await panel(page).getByRole('button', { name: 'Copy statement' }).click()
    await expect.poll(() => clipboard(page)).toBe('SELECT id FROM v_experiments LIMIT 7')
    await page.screenshot({ path: join(screenshots, 'traffic-refused.png') })
    expect(await violations(page)).toEqual([])
    await panel(page).getByRole('link', { name: 'Open in Ask' }).click()
    await result(page).getByText('7 rows').waitFor()
    expect(problems).toEqual([])
  })

  test('arms variants and faults, once and until they are disarmed', async () => {
    const { page } = await open('#traffic')
    const target = { baseUrl: serverOf().baseUrl, ...(await told()) }
    const shape = async () => {
      const { rows } = await ask(target, 'SELECT id FROM v_formulas LIMIT 1')
      return Array.isArray(rows[0]) ? 'array' : 'object'
    }
    const armed = page.getByRole('region', { name: 'Injected variants and faults' })
    await page.getByLabel('Setting').selectOption('rows.shape')
    await page.getByRole('combobox', { name: 'Variant', exact: true }).selectOption('array')
    await page.getByRole('button', { name: 'Next statement only' }).click()
    await armed.getByText('next statement: rows.shape=array').waitFor()
    expect([await shape(), await shape()]).toEqual(['array', 'object'])
    await armed.waitFor({ state: 'detached' })
    await page.getByRole('region', { name: 'Variants' }).getByRole('button', { name: 'Inject' }).click()
    await armed.getByText('rows.shape=array').waitFor()
    expect([await shape(), await shape()]).toEqual(['array', 'array'])
    await page.getByRole('button', { name: 'One 503' }).click()
    await armed.getByText('status:503').waitFor()
    expect((await ask(target, 'SELECT 1')).status).toBe(503)
    // a fault that is used up is not armed, also after a reload and after another one is added
    await armed.getByText('status:503').waitFor({ state: 'detached' })
    await page.reload()
    await armed.getByText('rows.shape=array').waitFor()
    await page.getByRole('button', { name: 'Slow answers' }).click()
    await armed.getByText('latency:').waitFor()
    expect(await armed.getByText('status:503').count()).toBe(0)
    expect((await ask(target, 'SELECT 1')).status).toBe(200)
    const fault = page.getByLabel('Another fault')
    const alert = page.getByRole('region', { name: 'Faults' }).getByRole('alert')
    const inject = async () => {
      await fault.fill('nonsense:1')
      await page.getByRole('region', { name: 'Faults' }).getByRole('button', { name: 'Inject' }).click()
      await alert.getByText('nonsense').waitFor()
      expect(await page.getByRole('alert').count()).toBe(1)
    }
    await inject()
    await fault.fill('nonsense:')
    await alert.waitFor({ state: 'detached' })
    await inject()
    await page.getByRole('link', { name: 'Contract' }).click()
    await page.getByRole('link', { name: 'Open points' }).click()
    await page.getByLabel('Variant of rows.shape').waitFor()
    expect(await page.getByText('nonsense').count()).toBe(0)
    await armed.getByRole('button', { name: 'Remove all' }).click()
    await armed.waitFor({ state: 'detached' })
    expect(await shape()).toBe('object')
  })

  test('removes one of several variants and faults, whose counts go on', async () => {
    const { page } = await open('#traffic')
    const base = serverOf().baseUrl
    const send = (method: string, path: string, body: unknown) =>
      fetch(`${base}/_mock/${path}`, {
        method,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    await send('PATCH', 'variants', { 'rows.shape': 'array', 'rows.case': 'upper' })
    await send('POST', 'variants/next', { variants: { 'http.success': '201' } })
    await send('POST', 'faults', { faults: ['status:503,times=2', 'latency:1ms'] })
    expect((await ask({ baseUrl: base, ...(await told()) }, 'SELECT 1')).status).toBe(503)
    const injected = page.getByRole('region', { name: 'Injected variants and faults' })
    const names = async () =>
      (await injected.locator('.badge').allTextContents()).map((text) => text.replace('✕', '').trim())
    const all = [
      'rows.case=upper',
      'rows.shape=array',
      'next statement: http.success=201',
      'status:503,times=2 · 1×',
      'latency:1ms · 1×',
    ]
    await expect.poll(async () => (await names()).toSorted()).toEqual(all.toSorted())
    while (all.length > 0) {
      const gone = all.splice(all.length >> 1, 1)[0]!
      await injected.getByRole('button', { name: `Remove ${gone}` }).focus()
      await page.keyboard.press('Enter')
      await expect.poll(async () => (await names()).toSorted()).toEqual(all.toSorted())
      expect(await page.evaluate('document.activeElement !== document.body')).toBe(true)
    }
    await injected.waitFor({ state: 'detached' })
  })
})

test('Contract shows views, relations, requirements and open points with their setting', async () => {
  const { page, problems } = await open('#contract')
  await page.getByRole('link', { name: 'v_timeseries_data', exact: true }).click()
  await page.getByRole('link', { name: '→ v_timeseries.id' }).waitFor()
  const found = page.locator('.columns tbody th')
  const search = page.getByLabel('Search the columns of all views')
  for (const [words, column] of [
    ['failure_mode failed', "v_bioprocesses.qc->>'failure_mode'"],
    ['inoculation', 'v_bioprocesses.run_start_timestamp'],
    ['formula_results offset', 'v_formula_results.timeseries_offset_ms'],
  ] as const) {
    await search.fill(words)
    await expect.poll(() => found.allTextContents()).toEqual([column])
  }
  expect(await violations(page)).toEqual([])
  await search.fill('no such column')
  await page.getByText('No column matches.').waitFor()
  await page.getByRole('link', { name: 'Requirements' }).click()
  await page.getByLabel('Search the requirements').fill('REQ-SQL-7')
  await page.getByText('A server MUST keep the rows of the left view').waitFor()
  await page.getByRole('link', { name: 'Open points' }).click()
  await page.getByLabel('Search the open points').fill('rows.case')
  expect(await page.getByLabel('Variant of rows.case').inputValue()).toBe('lower')
  expect(problems).toEqual([])
})

describe('Judge', () => {
  let judging: CliServer
  beforeAll(async () => {
    // few rows and a short time limit, which is a finding, and which the suite reaches sooner
    judging = await startCliServer(['--allow-target', '--scale', '0.01', '--time-limit', '3s'])
  })
  afterAll(() => judging?.stop())

  test('runs the suite, and shows its HTML report, also after a reload and to save', async () => {
    const { page, problems } = await openConsole(browserOf(), `${judging.baseUrl}/#judge`)
    const { page: other } = await openConsole(browserOf(), `${judging.baseUrl}/#judge`)
    await other.getByText('Not judged yet').waitFor()
    await page.getByRole('button', { name: 'Run the suite' }).click()
    await page.getByText(/^\d+ of \d{3} checks$/).waitFor()
    // the run goes on behind another tab, and a second one is refused
    await page.getByRole('link', { name: 'Contract' }).click()
    await page.getByRole('link', { name: 'Judge' }).click()
    await page.getByText(/^\d+ of \d{3} checks$/).waitFor()
    const second = await fetch(`${judging.baseUrl}/_mock/judge`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
    expect(second.status).toBe(409)
    const report = page.frameLocator('iframe[title="Report of the suite"]')
    await report.getByText('time.not-cut-short').first().waitFor({ timeout: 120_000 })
    await report.getByText('non-conformant').first().waitFor()
    await other
      .frameLocator('iframe[title="Report of the suite"]')
      .getByText('non-conformant')
      .first()
      .waitFor()
    await page.reload()
    await report.getByText('non-conformant').first().waitFor()
    await report.getByRole('link', { name: 'All checks' }).click()
    expect(page.url()).toMatch(/#judge$/)
    const saved = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Save' }).click()
    expect(readFileSync(await (await saved).path(), 'utf8')).toContain('<!doctype html>')
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 860 })
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        await page.screenshot({ path: join(screenshots, `judge-report-${colorScheme}-${width}.png`) })
        await expect.poll(() => overflow(page)).toBeLessThanOrEqual(0)
        expect(await violations(page)).toEqual([])
      }
    }
    expect(problems).toEqual([])
  }, 180_000)

  test('asks for another target only where the server permits it', async () => {
    const { page } = await open('#judge')
    await page.getByText(`Judges ${serverOf().baseUrl}`).waitFor()
    expect(await page.getByText('Another target').count()).toBe(0)
    await page.goto(`${judging.baseUrl}/#judge`)
    await page.getByText('Another target').click()
    await page.getByLabel('Base URL').fill('ftp://data.example.org')
    await page.getByRole('button', { name: 'Run the suite' }).click()
    await page.getByRole('alert').getByText('Write it with its scheme').waitFor()
  })
})

describe('every tab', () => {
  test.each(tabs.flatMap((tab) => (['light', 'dark'] as const).map((colorScheme) => ({ tab, colorScheme }))))(
    'is accessible and fits into 390 to 1920 pixels: $tab, $colorScheme',
    async ({ tab, colorScheme }) => {
      // one window grows, the other one shrinks
      const widths = colorScheme === 'light' ? [390, 768, 1280, 1920] : [1920, 1280, 768, 390]
      const { page, problems } = await open(`#${tab}`, { width: widths[0]!, colorScheme })
      await page.locator('main').waitFor()
      if (tab === 'ask') {
        await runButton(page).click()
        await result(page).waitFor()
      }
      if (tab === 'plot') await page.locator('.u-over').first().waitFor()
      for (const width of widths) {
        await page.setViewportSize({ width, height: 860 })
        await page.waitForTimeout(300)
        await page.screenshot({ path: join(screenshots, `${tab}-${colorScheme}-${width}.png`) })
        await expect.poll(() => overflow(page), { message: `overflow at ${width}` }).toBeLessThanOrEqual(0)
        expect(await violations(page), `at ${width}`).toEqual([])
        expect(problems).toEqual([])
      }
    },
  )
})

describe('a token that is given later', () => {
  let guarded: CliServer
  beforeAll(async () => {
    guarded = await startCliServer(['--token', 'right'])
  })
  afterAll(() => guarded?.stop())

  test.each([
    ['Plot', '#plot', async (page: Page) => page.getByRole('group', { name: /^DO, %: / }).waitFor()],
    [
      'Ask',
      '#ask',
      async (page: Page) => {
        await result(page).waitFor()
      },
    ],
  ])('is used by %s, which asks again, and shown as wrong where it is', async (_, hash, arrives) => {
    const { page } = await openConsole(browserOf(), `${guarded.baseUrl}/${hash}`)
    await page.getByRole('status').getByText('This server has a token of its own').waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    await expect.poll(() => page.locator(':focus').getAttribute('aria-label')).toBe('Token')
    expect(await violations(page)).toEqual([])
    await page.keyboard.type('mistyped')
    await page.keyboard.press('Enter')
    if (hash === '#ask') await runButton(page).click()
    await page.getByRole('alert').getByText('The token is not valid').waitFor()
    await give(page, 'Schlüssel →')
    await page.getByRole('alert').getByText('a character that a header cannot carry').waitFor()
    await page.getByRole('button', { name: 'Token refused' }).waitFor()
    await give(page, 'wrong')
    await page.getByRole('alert').getByText('The token is not valid').waitFor()
    await page.getByRole('button', { name: 'Token refused' }).waitFor()
    await page.getByRole('alert').waitFor()
    await page.screenshot({ path: join(screenshots, `refused-${hash.slice(1, 4)}.png`) })
    expect(await violations(page)).toEqual([])
    await give(page, 'right')
    await arrives(page)
    await page.locator('.menu summary', { hasText: 'Menu' }).click()
    await page.getByRole('button', { name: 'Own token' }).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  test('is read again from a server that was started again', async () => {
    const first = await startCliServer([])
    const { page } = await openConsole(browserOf(), `${first.baseUrl}/#ask`)
    await runButton(page).waitFor()
    await first.stop()
    const second = await startCliServer(['--listen', new URL(first.baseUrl).host])
    await runButton(page).click()
    await result(page).waitFor()
    await second.stop()
  })
})

describe('the page of a session', () => {
  test('asks in the session, names it, and keeps it in what it copies', async () => {
    const session = `${serverOf().baseUrl}/s/worker-1`
    const row = await fetch(`${session}/_mock/rows/v_quantities`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ id: 'q-1', name: 'Only here' }),
    })
    expect(row.status).toBe(200)
    // without its slash, too
    const { page, problems } = await openConsole(
      browserOf(),
      `${session}${statement("SELECT name FROM v_quantities WHERE name = 'Only here'")}`,
    )
    await page.locator('.tools').getByText('session worker-1').waitFor()
    await runButton(page).click()
    await result(page).getByText('1 row').waitFor()
    await choose(page, 'Copy', 'curl')
    await expect.poll(() => clipboard(page)).toContain(`${session}/external/v1/statements/`)
    await page.getByRole('link', { name: 'Traffic' }).click()
    await rowsOf(page).filter({ hasText: 'Only here' }).first().waitFor()
    await page.getByLabel('Setting').selectOption('rows.case')
    await page.getByRole('region', { name: 'Variants' }).getByRole('button', { name: 'Inject' }).click()
    await page.getByRole('region', { name: 'Injected variants and faults' }).getByText('rows.case').waitFor()
    const { variants } = await fetch(`${serverOf().baseUrl}/_mock/variants`).then(
      (answer) => answer.json() as Promise<{ variants: { source: string }[] }>,
    )
    expect(variants.filter(({ source }) => source === 'run time')).toEqual([])
    await page.setViewportSize({ width: 390, height: 860 })
    await page.locator('.tools').getByText('session worker-1').waitFor()
    await page.screenshot({ path: join(screenshots, 'session-390.png') })
    await expect.poll(() => overflow(page)).toBeLessThanOrEqual(0)
    expect(await violations(page)).toEqual([])
    expect(problems).toEqual([])
  })

  test('shows what a test changes meanwhile, and the requests after the session has begun again', async () => {
    const session = connectSession({ baseUrl: serverOf().baseUrl, id: 'worker-2' })
    const { page, problems } = await openConsole(browserOf(), `${session.baseUrl}/#contract?part=open`)
    const armed = page.getByRole('region', { name: 'Injected variants and faults' })
    const shape = page.getByLabel('Variant of rows.shape')
    await shape.waitFor()
    await session.use({ 'rows.shape': 'array' })
    await armed.getByText('rows.shape=array').waitFor()
    expect(await shape.inputValue()).toBe('array')
    await session.once({ 'rows.case': 'upper' })
    await armed.getByText('next statement: rows.case=upper').waitFor()
    await session.faults(['status:503'])
    await armed.getByText('status:503').waitFor()
    await page.screenshot({ path: join(screenshots, 'session-changed.png') })
    await session.reset()
    await armed.waitFor({ state: 'detached' })
    expect(await shape.inputValue()).toBe('object')

    await page.getByRole('link', { name: 'Traffic' }).click()
    // a refusal stays in sight while the page reads on
    await page.getByLabel('Another fault').fill('status:99')
    await page.getByRole('region', { name: 'Faults' }).getByRole('button', { name: 'Inject' }).click()
    await page.getByRole('alert').getByText('99').waitFor()
    for (const text of ['SELECT 1', 'SELECT 2']) {
      await ask({ baseUrl: session.baseUrl, ...(await told()) }, text)
      await rowsOf(page).filter({ hasText: text }).waitFor()
      await session.end()
    }
    await page.getByRole('alert').getByText('99').waitFor()
    expect(problems.filter((text) => !text.includes('400'))).toEqual([])
  })
})

describe('a page without rights', () => {
  test('asks for the admin token, and keeps it out of the address', async () => {
    const guarded = await startCliServer(['--admin-token', 'admin-secret', '--token', 'statement-secret'])
    const { page } = await openConsole(browserOf(), `${guarded.baseUrl}/#ask`)
    await page.getByText('This server has an admin token.').waitFor()
    expect(await violations(page)).toEqual([])
    await page.getByLabel('Admin token').fill('Schlüssel →')
    await page.getByRole('button', { name: 'Open' }).click()
    await page.getByText('a character that a header cannot carry').waitFor()
    await page.getByLabel('Admin token').fill('admin-secret')
    await page.getByRole('button', { name: 'Open' }).click()
    // a token that was chosen is not told to the page
    await page.getByRole('button', { name: 'Give a token' }).click()
    await page.getByLabel('Bearer token').fill('statement-secret')
    await page.getByRole('button', { name: 'Use' }).click()
    await runButton(page).click()
    await result(page).waitFor()
    expect(page.url()).not.toContain('secret')
    expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain('secret')
    await page.reload()
    await runButton(page).waitFor()
    await guarded.stop()
    const again = ['--listen', new URL(guarded.baseUrl).host, '--admin-token', 'another']
    const restarted = await startCliServer(again)
    await page.getByText('This server has an admin token.').waitFor()
    await restarted.stop()
  })
})

describe('the playground', () => {
  const folder = scratch()
  let served: Awaited<ReturnType<typeof serveStatic>>
  beforeAll(async () => {
    const { exitCode, stderr } = await runCli(['console', '--static', folder.dir])
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining('Wrote ')])
    served = await serveStatic(folder.dir)
  })
  afterAll(async () => {
    await served?.close()
    folder.remove()
  })

  test('answers statements, plots runs, shows traffic and arms variants without a server', async () => {
    const { page, problems } = await openConsole(browserOf(), served.url)
    await rowsOf(page).first().waitFor({ timeout: 30_000 })
    await page.getByRole('link', { name: 'Ask' }).click()
    await result(page).getByRole('columnheader', { name: 'note' }).waitFor()
    await runButton(page).click()
    await page.getByText('Past statements (1)').waitFor()
    await page.getByRole('link', { name: 'Plot', exact: true }).first().click()
    await page.getByRole('group', { name: /^DO, %: / }).waitFor()
    await page.getByRole('link', { name: 'Traffic' }).click()
    await rowsOf(page).filter({ hasText: 'failure_mode' }).waitFor()
    await page.getByRole('region', { name: 'Variants' }).getByRole('button', { name: 'Inject' }).click()
    await page
      .getByRole('region', { name: 'Injected variants and faults' })
      .getByText('rows.shape=array')
      .waitFor()
    expect(await page.getByRole('link', { name: 'Judge' }).count()).toBe(0)
    expect(await violations(page)).toEqual([])
    expect(problems).toEqual([])
  })

  test('shows its runs at the address of the Judge tab, which it does not have', async () => {
    const { page } = await openConsole(browserOf(), `${served.url}#judge`)
    await rowsOf(page).first().waitFor({ timeout: 30_000 })
    await expect.poll(() => page.url()).toBe(`${served.url}#runs`)
    expect(await page.getByRole('button', { name: 'Run the suite' }).count()).toBe(0)
  })

  test('says what to do where the mock cannot start', async () => {
    const page = await (await browserOf().newContext()).newPage()
    await page.addInitScript('delete window.Worker')
    await page.goto(served.url)
    await page.getByRole('alert').getByText('runs its database in a Worker').waitFor()
  })

  test('is not written into a folder with other files', async () => {
    const other = scratch()
    mkdirSync(join(other.dir, 'console'))
    writeFileSync(join(other.dir, 'console/notes.txt'), 'kept')
    const { exitCode, stderr } = await runCli(['console', '--static', other.dir])
    expect(readFileSync(join(other.dir, 'console/notes.txt'), 'utf8')).toBe('kept')
    expect(exitCode).toBe(2)
    expect(stderr).toContain('has other files. Name an empty or a new folder.')
    other.remove()
  })
})

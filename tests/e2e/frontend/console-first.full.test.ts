import { EventEmitter, once } from 'node:events'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { ask } from '../support/ask.ts'
import { startCliServer } from '../support/cli.ts'
import { openConsole, violations } from '../support/console-page.ts'
import { choose, consoleSuite, panel, result, rowsOf } from '../support/console-suite.ts'

const { browser, server, open, told } = consoleSuite()

const group = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true })
const cards = (page: Page, title: string) => group(page, title).getByRole('listitem')
const drawn = (page: Page) => page.locator('.u-over').first().waitFor()
const param = (page: Page, name: string) =>
  new URLSearchParams(new URL(page.url()).hash.split('?')[1]).get(name)
const inPlot = async (page: Page) =>
  (await page.getByRole('list', { name: 'Runs in the plot' }).locator('li').allTextContents()).map(
    (text) => text.trim().split(' ')[0]!,
  )
const rowsOfServer = async (statement: string) =>
  (await ask({ baseUrl: server().baseUrl, ...(await told()) }, statement)).rows
/** Red pixels in the middle of the first chart. */
const redPixels = (page: Page) =>
  page.evaluate<number>(`(() => {
    const canvas = document.querySelector('.chart canvas')
    const over = document.querySelector('.u-over')
    const middle = Math.round((over.offsetLeft + over.offsetWidth / 2) * devicePixelRatio)
    const { data } = canvas.getContext('2d').getImageData(middle - 3, 0, 6, canvas.height)
    let red = 0
    for (let at = 0; at < data.length; at += 4)
      if (data[at + 3] > 100 && data[at] > data[at + 1] + 80 && data[at] > data[at + 2] + 80) red++
    return red
  })()`)
const keys = async (page: Page, ...names: string[]) => {
  for (const name of names) await page.keyboard.press(name)
}

/** The codes of the first three runs of a condition and an order. */
const codesOf = async (where: string) => {
  const rows = await rowsOfServer(
    `SELECT split_part(name, ' ', 1) AS code FROM v_bioprocesses WHERE ${where} DESC LIMIT 3`,
  )
  return rows.map(({ code }) => code)
}

describe('what happened here', () => {
  test('is said of the runs that failed, wait, run and changed last, each with a curve', async () => {
    const { page, problems } = await open()
    for (const [title, where, words] of [
      [
        'Failed',
        `qc->>'status' = 'Fail' ORDER BY run_start_timestamp`,
        /Failed: (Probe failure|Overfeeding|Foam-out)/,
      ],
      [
        'Waiting for a decision',
        `qc->>'status' = 'Pending' ORDER BY run_start_timestamp`,
        /Waiting for a decision/,
      ],
      ['Running now', `status = 'In-progress' ORDER BY run_start_timestamp`, /Running now/],
      [
        'Changed last',
        `qc->>'status' = 'Pass' ORDER BY last_updated_at`,
        /Passed, changed \d\d-\d\d \d\d:\d\d/,
      ],
    ] as const) {
      await cards(page, title).locator('svg path:not(.moment)').nth(1).waitFor()
      expect(await cards(page, title).locator('b').allTextContents(), title).toEqual(await codesOf(where))
      for (const text of await cards(page, title).locator('.badge').allTextContents())
        expect(text).toMatch(words)
      for (const curve of await cards(page, title).locator('svg path:not(.moment)').all())
        expect((await curve.getAttribute('d'))!.split('L').length).toBeGreaterThan(2)
    }
    expect(problems).toEqual([])
  })

  test('has the note about the failure, and leads to the curve at that moment', async () => {
    const { page } = await open()
    const foamed = cards(page, 'Failed').filter({ hasText: 'Foam-out' })
    await foamed.getByText('foam-out! level 100%').waitFor()
    expect(await foamed.locator('svg .moment').count()).toBe(1)
    const code = (await foamed.locator('b').textContent())!
    await foamed.locator('.curve').click()
    await page.getByRole('group', { name: /^Foam level, %: / }).waitFor()
    expect(await inPlot(page)).toEqual([code])
    const [row] = await rowsOfServer(
      `SELECT extract(epoch FROM (e->>'timestamp')::timestamptz - b.run_start_timestamp) / 3600 AS hours
       FROM v_bioprocesses b CROSS JOIN LATERAL jsonb_array_elements(b.events) e
       WHERE b.name LIKE '${code}%' AND e->>'note' LIKE 'foam-out!%'`,
    )
    const [from, to] = param(page, 'view')!.split(',').map(Number) as [number, number]
    expect((from + to) / 2).toBeCloseTo(Number(row!['hours']), 1)
    // the note is in words above the chart, and a red line in its middle
    await page.getByRole('region', { name: 'Panels' }).getByText('foam-out! level 100%').waitFor()
    await expect.poll(() => redPixels(page)).toBeGreaterThan(50)
    await page.evaluate(`location.hash = location.hash.replace(/&note=\\d+/, '')`)
    await expect.poll(() => redPixels(page)).toBe(0)
  })

  test('names the remedy where a plot has nothing to show', async () => {
    const { page } = await open()
    await cards(page, 'Failed').locator('svg .moment').first().waitFor({ state: 'attached' })
    await cards(page, 'Failed').locator('.curve').first().click()
    await drawn(page)
    const whole = page.locator('.chart').first().getByRole('button', { name: 'Show all points' })
    expect(await whole.count()).toBe(0)
    await page.evaluate(`location.hash = location.hash.replace(/view=[^&]+/, 'view=900,901')`)
    await page.getByText('No points in this window.').first().waitFor()
    expect(await violations(page)).toEqual([])
    await whole.focus()
    await keys(page, 'Enter')
    await whole.waitFor({ state: 'detached' })
    expect(param(page, 'view')).toBe(null)
    expect(await page.locator('.chart:focus').count()).toBe(1)
    await page.evaluate(`location.hash = location.hash.replace(/q=[^&]+/, 'q=Unheard+of')`)
    await page.getByText('None of the chosen runs has a chosen quantity.').waitFor()
  })

  test('reveals what was planted, on demand', async () => {
    const { page, problems } = await open()
    const overfed = cards(page, 'Failed').filter({ hasText: 'Overfeeding' })
    await overfed.getByText('reveal the cause').waitFor()
    expect(await page.getByText('Planted').count()).toBe(0)
    await overfed.getByText('reveal the cause').focus()
    await keys(page, 'Enter')
    const told =
      /^Planted cause \(from the answer key\): Overfeeding, \d\d-\d\d \d\d:\d\d to \d\d-\d\d \d\d:\d\d\.$/
    await overfed.getByText(told).waitFor()
    expect(await page.locator(':focus').textContent()).toMatch(told)
    const running = cards(page, 'Running now').first()
    await running.getByText('reveal the cause').click()
    await running.getByText('nothing went wrong.').waitFor()
    expect(await violations(page)).toEqual([])
    expect(problems).toEqual([])
  })

  test('leads to the events of a run', async () => {
    const { page, problems } = await open()
    const events = cards(page, 'Failed').first().getByRole('link', { name: 'events' })
    await events.focus()
    await keys(page, 'Enter')
    await panel(page).getByText('failure_mode').first().waitFor()
    await keys(page, 'Escape')
    await panel(page).waitFor({ state: 'detached' })
    expect(await events.evaluate((link) => link.matches(':focus'))).toBe(true)
    // a row that the table opens gives the focus back to the table
    await page.getByRole('grid').focus()
    await keys(page, 'Enter')
    await panel(page).getByText('failure_mode').first().waitFor()
    await keys(page, 'Escape')
    expect(await page.locator(':focus').getAttribute('role')).toBe('grid')
    expect(problems).toEqual([])
  })

  test('leads to all runs of a group', async () => {
    const { page } = await open()
    const link = group(page, 'Waiting for a decision').getByRole('link', { name: /^\d+ runs$/ })
    const count = Number.parseInt((await link.textContent())!, 10)
    await link.click()
    await page.getByText(new RegExp(`^${count} of \\d+ runs$`)).waitFor()
    await expect.poll(() => rowsOf(page).count()).toBe(count)
  })

  test('leaves what stands below in its place when notes and curves arrive', async () => {
    const gate = new EventEmitter()
    const opened = once(gate, 'open')
    const page = await browser().newPage()
    await page.route('**/external/v1/statements/', async (route) => {
      if (route.request().postData()!.includes('jsonb_array_elements')) await opened
      await route.continue()
    })
    await page.goto(server().baseUrl)
    await rowsOf(page).first().waitFor()
    const top = async () => (await page.getByRole('region', { name: 'Runs', exact: true }).boundingBox())!.y
    const before = await top()
    gate.emit('open')
    await cards(page, 'Failed').getByText('foam-out! level 100%').waitFor()
    expect(await top()).toBe(before)
  })

  test('is read with three statements', async () => {
    const statements: string[] = []
    const page = await browser().newPage()
    page.on('request', (request) => {
      if (request.method() === 'POST') statements.push(request.postData()!)
    })
    await page.goto(server().baseUrl)
    await cards(page, 'Failed').locator('svg path:not(.moment)').first().waitFor()
    await page.waitForTimeout(500)
    expect(statements.map((text) => /WITH wanted|jsonb_array_elements|split_part/.exec(text)?.[0])).toEqual([
      'split_part',
      'jsonb_array_elements',
      'WITH wanted',
    ])
  })
})

test('the list of runs finds failures, and has no ids', async () => {
  const { page } = await open()
  await rowsOf(page).first().waitFor()
  expect(await page.locator('.grid thead th').allTextContents()).toEqual(
    'Row run product process status quality failure start'.split(' '),
  )
  await page.getByLabel('Search the runs').fill('fail')
  const failed = await rowsOfServer(`SELECT id FROM v_bioprocesses WHERE qc->>'status' = 'Fail'`)
  await expect.poll(() => rowsOf(page).count()).toBe(failed.length)
  expect(await page.locator('.grid tr.bad').count()).toBe(failed.length)
})

test('an open run begins with its quality, its notes and its events', async () => {
  const { page } = await open('#runs?filter=foam-out')
  await rowsOf(page).first().click()
  await panel(page).getByText('run_start_timestamp').waitFor()
  const names = await panel(page).locator('div > bdi.mono:first-of-type').allTextContents()
  expect(names.slice(0, 4)).toEqual(['qc', 'notes', 'events', 'id'])
  await panel(page).getByText('foam-out!').first().waitFor()
})

describe('five tasks take at most three steps from the first screen, by keys too', () => {
  test('see which run failed and why', async () => {
    const { page } = await open()
    await cards(page, 'Failed').locator('svg path:not(.moment)').first().waitFor()
    await keys(page, 'h', 'Enter')
    await drawn(page)
    expect(param(page, 'view')).toMatch(/,/)
  })

  test('see what an application gets wrong', async () => {
    const base = server().baseUrl
    await fetch(`${base}/plant/external/v1/statements/`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body: '{"statement":"SELECT 1"}',
    })
    const { page } = await open()
    await rowsOf(page).first().waitFor()
    await page.getByRole('link', { name: /^Traffic [1-9]\d* failed requests?$/ }).waitFor()
    await keys(page, '4')
    const lost = rowsOf(page).filter({ hasText: 'POST /plant/external/v1/statements/' })
    await lost.first().waitFor()
    await page.getByRole('grid').focus()
    await keys(page, 'Enter')
    await expect
      .poll(() => panel(page).locator('div > bdi.mono:first-of-type').allTextContents())
      .toEqual(expect.arrayContaining(['got']))
    const names = await panel(page).locator('div > bdi.mono:first-of-type').allTextContents()
    expect(names.slice(0, 5)).toEqual(['status', 'cause', 'request', 'sent', 'got'])
    await panel(page).getByText('POST /plant/external/v1/statements/ text/plain without a token').waitFor()
    await panel(page)
      .getByText('Statements are sent to /external/v1/statements/ with POST.')
      .first()
      .waitFor()
  })

  test('compare three runs', async () => {
    const { page } = await open()
    const failed = cards(page, 'Failed').first()
    await failed.getByRole('link', { name: 'compare' }).waitFor()
    await keys(page, 'h', 'Tab', 'Enter')
    await drawn(page)
    const runs = await inPlot(page)
    expect(runs.length).toBe(3)
    const rows = await rowsOfServer(
      `SELECT qc->>'status' AS quality FROM v_bioprocesses WHERE split_part(name, ' ', 1) IN ('${runs.join("', '")}') ORDER BY 1`,
    )
    expect(rows.map(({ quality }) => quality)).toEqual(['Fail', 'Pass', 'Pass'])
    expect(new Set(runs.map((name) => name.slice(0, 2))).size).toBe(1)
  })

  test('find the meaning of a column', async () => {
    const { page } = await open()
    await rowsOf(page).first().waitFor()
    await keys(page, '5')
    await page.getByLabel('Search the columns of all views').waitFor()
    await keys(page, '/')
    await page.keyboard.type('data_item_id')
    await page
      .getByRole('row', { name: /v_timeseries_data\.data_item_id .*Identifier of the data item/ })
      .waitFor()
    await expect.poll(() => param(page, 'find')).toBe('data_item_id')
    // a key of a column is found by its name, before what mentions it
    await keys(page, 'Control+A')
    await page.keyboard.type('failure_mode')
    const first = page.getByRole('table').getByRole('row').nth(1)
    await first.getByText("v_bioprocesses.qc->>'failure_mode'").waitFor()
    await first.getByText('How the bioprocess failed, if it did.').waitFor()
    expect(await first.locator('mark').allTextContents()).toEqual(['failure_mode'])
  })

  test('switch a fault on and off', async () => {
    const { page } = await open()
    await rowsOf(page).first().waitFor()
    await keys(page, '4')
    await page.getByRole('button', { name: 'One 503' }).waitFor()
    await keys(page, 'f', 'Enter')
    const armed = page.getByRole('region', { name: 'Injected variants and faults' })
    await armed.getByText('status:503').waitFor()
    await keys(page, 'd')
    await armed.waitFor({ state: 'detached' })
    // one that is typed leaves its field, in which keys are text
    await page.getByLabel('Another fault').fill('status:500')
    await keys(page, 'Enter')
    await armed.getByText('status:500').waitFor()
    await keys(page, 'd')
    await armed.waitFor({ state: 'detached' })
  })
})

test('Ask opens on the notes of the runs that failed, which uses up nothing that is armed', async () => {
  const base = server().baseUrl
  const send = (method: string, body?: unknown) =>
    fetch(`${base}/_mock/faults`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  await send('PUT', { faults: ['status:503,times=1'] })
  const { page, problems } = await open('#ask')
  await result(page).getByText('foam-out!').first().waitFor()
  await page.getByRole('region', { name: 'Injected variants and faults' }).getByText('0×').waitFor()
  expect(await page.getByText('Past statements').count()).toBe(0)
  await send('DELETE')
  expect(problems).toEqual([])
})

test('Vessels shows failed runs as failed', async () => {
  const { page } = await open('#plot?part=vessels')
  await page.getByRole('group', { name: /^Bioprocesses by vessel/ }).waitFor()
  const failed = await rowsOfServer(
    `SELECT split_part(name, ' ', 1) AS code FROM v_bioprocesses WHERE qc->>'status' = 'Fail' ORDER BY 1`,
  )
  const bars = await page
    .locator('.vessel a.bad')
    .evaluateAll((all) => all.map((bar) => bar.getAttribute('aria-label')!))
  expect(bars.map((name) => name.split(' ')[0]).toSorted()).toEqual(failed.map(({ code }) => code))
  for (const name of bars) expect(name).toContain(', failed, ')
  expect(await violations(page)).toEqual([])
})

test('a zoom before there are points leaves the view', async () => {
  const { page } = await open()
  await rowsOf(page).first().waitFor()
  const gate = new EventEmitter()
  const opened = once(gate, 'open')
  await page.route('**/external/v1/statements/', async (route) => {
    if (route.request().postData()!.includes('FROM v_timeseries_data')) await opened
    await route.continue()
  })
  await keys(page, '3')
  await page.getByText('Reading the points …').first().waitFor()
  await page.locator('.chart').first().focus()
  await keys(page, '+', '+')
  await page.waitForTimeout(500)
  expect(param(page, 'view')).toBe(null)
  gate.emit('open')
  await page.getByText(/^A point is the mean of/).waitFor()
  await keys(page, '+')
  await expect.poll(() => param(page, 'view')).toMatch(/,/)
})

test('Plot of a live plant begins with runs of one process, and a phone shows its clock', async () => {
  const live = await startCliServer(['--live', '--scale', '0.1'])
  const { page } = await openConsole(browser(), `${live.baseUrl}/#plot`)
  await drawn(page)
  const runs = await inPlot(page)
  expect(runs.length).toBeGreaterThan(0)
  expect(new Set(runs.map((name) => name.slice(0, 2))).size).toBe(1)
  await page.setViewportSize({ width: 390, height: 860 })
  await page.getByText(/^live 20\d\d-\d\d-\d\d/).waitFor()
  await keys(page, '6')
  await page.getByText('This plant is live').waitFor()
  expect(await violations(page)).toEqual([])
  await page.context().close()
  await live.stop()
})

test('a phone shows rows before toolbars, which unfold by their key', async () => {
  const { page } = await open('#ask', { width: 390 })
  await result(page).waitFor()
  const filter = page.getByLabel('Filter rows')
  expect(await filter.isVisible()).toBe(false)
  const heading = (await result(page).getByRole('heading').boundingBox())!
  expect((await rowsOf(page).first().boundingBox())!.y - heading.y).toBeLessThan(90)
  await page.getByText('Filter', { exact: true }).click()
  expect(await filter.isVisible()).toBe(true)
  await choose(page, 'Menu', 'Keys')
  await page.getByRole('dialog', { name: 'Keys' }).getByText('remove all that is injected').waitFor()
  expect(await violations(page)).toEqual([])
})

test('Judge names the option that lets it judge another server', async () => {
  const { page } = await open('#judge')
  await page.getByText('start this one with --allow-target').waitFor()
  expect(await page.getByText('This plant is live').count()).toBe(0)
})

import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { ask } from '../support/ask.ts'
import { violations } from '../support/console-page.ts'
import {
  choose,
  clipboard,
  consoleSuite,
  panel,
  result,
  rowsOf,
  statement,
} from '../support/console-suite.ts'

const { browser, server, open, told } = consoleSuite()

/** Presses keys one after another, types texts that begin with a quote, and counts each key. */
async function press(page: Page, ...keys: string[]): Promise<number> {
  let count = 0
  for (const key of keys) {
    if (key.startsWith("'")) await page.keyboard.type(key.slice(1))
    else await page.keyboard.press(key)
    count += key.startsWith("'") ? key.length - 1 : 1
  }
  return count
}
const drawn = (page: Page) => page.locator('.u-over').first().waitFor()
const chosen = (page: Page) => page.getByRole('list', { name: 'Runs in the plot' }).locator('li')
const chart = (page: Page) => page.locator('.chart').first()
const said = (page: Page) => chart(page).getByRole('status').textContent()
/** The texts of a column. */
const cells = (page: Page, place: number) =>
  page.locator(`.grid tbody tr[id] td:nth-of-type(${place})`).allTextContents()

describe('five tasks by keyboard alone', () => {
  test('find a run', async () => {
    const { page } = await open()
    await rowsOf(page).first().waitFor()
    const keys = await press(page, '/', "'rhgh status:completed", 'Enter')
    await expect.poll(async () => new Set(await cells(page, 2))).toEqual(new Set(['rhGH']))
    const more = await press(page, 'Enter')
    await panel(page).getByText('run_start_timestamp').waitFor()
    expect(
      await panel(page)
        .getByRole('heading', { name: /^EC-\d+-R\d+ BL21/ })
        .count(),
    ).toBe(1)
    expect(keys + more).toBeLessThanOrEqual(30)
    await press(page, 'Escape')
    expect(await page.getByRole('grid').evaluate((grid) => grid.matches(':focus'))).toBe(true)
  })

  test('compare three runs', async () => {
    const { page } = await open()
    await rowsOf(page).first().waitFor()
    await press(page, '3')
    await drawn(page)
    let keys = 1 + (await press(page, '/', "'EC-", 'Tab', 'Enter'))
    await expect.poll(() => chosen(page).count()).toBe(0)
    expect(await page.locator(':focus').getAttribute('aria-label')).toBe('Search the runs')
    keys += await press(page, 'Tab', 'Space', 'ArrowDown', 'Space', 'ArrowDown', 'Space')
    await expect.poll(() => chosen(page).count()).toBe(3)
    expect((await chosen(page).allTextContents()).every((text) => text.trim().startsWith('EC-'))).toBe(true)
    await page.getByRole('group', { name: /^DO, %: EC-\S+, EC-\S+, EC-\S+\. / }).waitFor()
    expect(keys).toBeLessThanOrEqual(20)
  })

  test('open an event of a run', async () => {
    const { page } = await open('#runs?filter=status:completed')
    await rowsOf(page).first().waitFor()
    let keys = await press(page, '/', 'Enter', 'Enter')
    await panel(page).locator('summary').first().waitFor()
    keys += await press(page, 'ArrowDown', 'ArrowDown', 'Enter')
    const event = panel(page).locator('details[open]').first()
    await expect
      .poll(() => event.locator('summary').first().textContent())
      .toMatch(/\d{4}-\d\d-\d\d \d\d:\d\d \w+/)
    await event.getByText('timestamp').waitFor()
    expect(keys).toBeLessThanOrEqual(8)
    await press(page, 'Escape')
    await panel(page).waitFor({ state: 'detached' })
  })

  test('share a result', async () => {
    const { page } = await open('#ask')
    await result(page).waitFor()
    let keys = await press(page, '/')
    await page.locator('.cm-content').waitFor()
    const text = 'SELECT id, name FROM v_formulas LIMIT 7'
    keys += (await press(page, 'Control+A', `'${text}`, 'Escape', 'Control+Enter')) - text.length
    await result(page).getByText('7 rows').waitFor()
    // out of the editor
    keys += await press(page, 'Escape')
    const other = await browser().newPage()
    await other.goto(page.url())
    await result(other).getByText('7 rows').waitFor()
    expect(keys).toBeLessThanOrEqual(10)
  })

  test('see a failing request of an application', async () => {
    const { page } = await open()
    await rowsOf(page).first().waitFor()
    const target = { baseUrl: server().baseUrl, ...(await told()) }
    await ask(target, 'SELECT id FROM v_formulas')
    await ask(target, 'SELECT nope FROM v_formulas')
    await press(page, '4')
    // the requests of other tests are there before it
    await rowsOf(page).filter({ hasText: 'SELECT nope' }).waitFor()
    const keys = 1 + (await press(page, '/', "'state:error", 'Enter', 'Enter'))
    await panel(page).getByText('column "nope" does not exist').waitFor()
    expect(keys).toBeLessThanOrEqual(16)
    await press(page, 'Tab', 'Tab', 'Tab', 'Tab', 'Enter')
    await result(page).or(page.getByRole('main').getByRole('alert')).first().waitFor()
    expect(await violations(page)).toEqual([])
  })
})

test('the keys are listed, and leave texts alone', async () => {
  const { page } = await open()
  await rowsOf(page).first().waitFor()
  await press(page, '?')
  const list = page.getByRole('dialog', { name: 'Keys' })
  await list.getByText('to the editor or the search').waitFor()
  expect(await violations(page)).toEqual([])
  await press(page, 'Escape')
  await list.waitFor({ state: 'hidden' })
  await press(page, '/', "'2l?")
  expect(await page.getByLabel('Search the runs').inputValue()).toBe('2l?')
  expect(await list.isVisible()).toBe(false)
})

/** The text of the cell at the cursor. */
const cursor = (page: Page) =>
  page.evaluate<string>(
    `document.getElementById(document.activeElement.getAttribute('aria-activedescendant')).textContent`,
  )

describe('the cursor of the table', () => {
  const sql = 'SELECT g AS n, g * 2 AS m, g * 3 AS o FROM generate_series(1, 200) AS g'
  test('goes over cells and headers, sorts, copies and stays in view', async () => {
    const { page, problems } = await open(statement(sql))
    await rowsOf(page).first().waitFor()
    await page.getByRole('grid').focus()
    await expect.poll(() => cursor(page)).toBe('1')
    for (const [key, value] of [
      ['ArrowDown', '2'],
      ['ArrowUp', '1'],
      ['ArrowRight', '2'],
      ['End', '3'],
      ['Control+End', '600'],
      ['Home', '200'],
      ['Control+Home', '1'],
      ['ArrowUp', 'n'],
      ['ArrowRight', 'm'],
      ['Enter', '▲ m'],
      ['Enter', '▼ m'],
      ['ArrowDown', '400'],
      ['ArrowUp', '▼ m'],
    ] as const) {
      await page.keyboard.press(key)
      await expect.poll(() => cursor(page), { message: key }).toBe(value)
    }
    await press(page, 'ArrowDown', 'Control+c')
    await expect.poll(() => clipboard(page)).toBe('400')
    expect(problems).toEqual([])
  })

  test('leaves a row that a filter hides', async () => {
    const { page } = await open(statement(sql))
    await rowsOf(page).first().waitFor()
    await page.getByRole('grid').focus()
    await expect.poll(() => cursor(page)).toBe('1')
    await press(page, 'ArrowDown', 'ArrowDown')
    await expect.poll(() => cursor(page)).toBe('3')
    await press(page, '/')
    await page.getByLabel('Filter rows').fill('n=77')
    await expect.poll(() => rowsOf(page).count()).toBe(1)
    await press(page, 'ArrowDown')
    await expect.poll(() => cursor(page)).toBe('77')
    await press(page, 'Enter')
    await panel(page).getByText('231', { exact: true }).waitFor()
  })

  test('a table without columns says how to have them again', async () => {
    const { page } = await open(`${statement(sql)}&hide=n%7Cm%7Co`)
    await page.getByText('All columns are hidden.').waitFor()
    await page.getByRole('button', { name: 'Show all columns' }).click()
    await rowsOf(page).first().waitFor()
  })
})

test('the order, filter and columns of a table last: run again, other tab, Back, link', async () => {
  const { page } = await open(statement('SELECT id, name, status FROM v_bioprocesses'))
  await result(page).getByText('49 rows').waitFor()
  await page.getByRole('columnheader', { name: 'name' }).getByRole('button').click()
  await result(page).locator('summary', { hasText: 'Columns' }).click()
  await result(page).getByRole('button', { name: '☑ status', exact: true }).click()
  await page.keyboard.press('Escape')
  await page.getByLabel('Filter rows').fill('EC-')
  await expect.poll(() => page.url()).toContain('filter=EC-')
  const shown = async (where: string) => {
    await result(page).getByText('2 of 3 columns').waitFor()
    await result(page)
      .getByRole('heading', { name: /^\d+ of 49 rows$/ })
      .waitFor()
    const names = await cells(page, 2)
    expect(names.length, where).toBeGreaterThan(5)
    expect(
      names.every((name) => name.startsWith('EC-')),
      where,
    ).toBe(true)
    expect(names, where).toEqual(names.toSorted())
  }
  await shown('at first')
  await page.getByRole('button', { name: /^Run Ctrl/ }).click()
  await shown('run again')
  await page.getByRole('link', { name: 'Traffic' }).click()
  await page.getByRole('link', { name: 'Ask' }).click()
  await shown('after another tab')
  await choose(page, 'Examples', 'Runs by status')
  await result(page).getByText('5 rows', { exact: true }).waitFor()
  await page.goBack()
  await shown('after Back')
  const link = page.url()
  await page.goto('about:blank')
  await page.goto(link)
  await shown('from a link')
})

describe('the page itself', () => {
  test('uses up nothing that is armed, and stands in no list of requests', async () => {
    const base = server().baseUrl
    const send = (path: string, method: string, body: unknown) =>
      fetch(`${base}/_mock/${path}`, {
        method,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    await fetch(`${base}/_mock/requests`, { method: 'DELETE' })
    await send('variants/next', 'POST', { variants: { 'rows.shape': 'array' }, count: 1 })
    await send('faults', 'PUT', { faults: ['status:503,times=1'] })
    const { page } = await open()
    await rowsOf(page).first().waitFor()
    await press(page, 'Enter')
    await rowsOf(page).first().click()
    await panel(page).locator('summary').first().waitFor()
    await press(page, 'Escape', '3')
    await drawn(page)
    await page.getByRole('link', { name: 'Vessels' }).click()
    await page.getByRole('group', { name: /^Bioprocesses by vessel/ }).waitFor()
    const armed = page.getByRole('region', { name: 'Injected variants and faults' })
    await armed.getByText('next statement: rows.shape=array').waitFor()
    await armed.getByText('status:503,times=1 · 0×').waitFor()
    const { requests } = (await (await fetch(`${base}/_mock/requests`)).json()) as { requests: unknown[] }
    expect(requests).toEqual([])
    await armed.getByRole('button', { name: 'Remove all' }).click()
    await armed.waitFor({ state: 'detached' })
  })

  test('has its runs first, the latest first, and leads from one to its plot', async () => {
    const { page, problems } = await open()
    await rowsOf(page).first().waitFor()
    await page.getByText(/^7 columns · simulated plant of seed 1 at scale/).waitFor()
    const starts = (await cells(page, 7)).filter((text) => text !== 'null')
    expect(starts).toEqual(starts.toSorted().toReversed())
    await rowsOf(page).first().click()
    const name = await cells(page, 1)
    await panel(page).getByRole('link', { name: 'Plot the run' }).click()
    await drawn(page)
    expect((await chosen(page).allTextContents()).map((text) => text.trim().split(' ')[0])).toEqual([name[0]])
    expect(problems).toEqual([])
  })
})

describe('the charts', () => {
  test('are read out by keys, point by point', async () => {
    const { page, problems } = await open('#plot')
    await page.getByText(/^A point is the mean of/).waitFor()
    await chart(page).focus()
    await press(page, 'Home')
    await expect.poll(() => said(page)).toMatch(/^-?\d+\.\d\d h: \S+ [\d.]+ %/)
    const place = async () => Number.parseFloat((await said(page))!)
    const first = await place()
    await press(page, 'ArrowRight')
    await expect.poll(place).toBeGreaterThan(first)
    await press(page, 'ArrowLeft')
    await expect.poll(place).toBe(first)
    await press(page, 'End')
    await expect.poll(place).toBeGreaterThan(first + 10)
    // the other panel follows
    const legends = page.locator('.u-legend tr:first-child td')
    expect(await legends.first().textContent()).toBe(`${(await place()).toFixed(2)} h`)
    expect(await legends.nth(1).textContent()).not.toBe('')
    expect(problems).toEqual([])
  })

  test('have no values past the end of a run, and no view past its data', async () => {
    const { page } = await open()
    await rowsOf(page).first().waitFor()
    const { rows } = await ask(
      { baseUrl: server().baseUrl, ...(await told()) },
      "SELECT id FROM v_bioprocesses WHERE status = 'Completed' AND (name LIKE '% E. coli %' OR name LIKE '% CHO fed%') ORDER BY run_end_timestamp - run_start_timestamp",
    )
    const ids = rows.map(({ id }) => String(id))
    await page.evaluate(`location.hash = 'plot?runs=${ids[0]},${ids.at(-1)}&q=DO'`)
    await page.getByText(/^A point is the mean of/).waitFor()
    expect(await chosen(page).count()).toBe(2)
    await chart(page).focus()
    await press(page, 'End')
    const values = page.locator('.u-legend').first().locator('td')
    await expect.poll(() => values.nth(1).textContent()).toBe('–')
    expect(await values.nth(2).textContent()).toMatch(/^[\d.]+ %$/)
    const axis = () => page.evaluate<string>("document.querySelector('.chart canvas').toDataURL()")
    const whole = await axis()
    await press(page, 'Shift+ArrowRight', 'Shift+ArrowRight', '-')
    await page.waitForTimeout(200)
    expect(await axis()).toBe(whole)
    await press(page, '+')
    await expect.poll(async () => (await axis()) === whole).toBe(false)
  })

  test('keep the focus while runs are chosen and taken out', async () => {
    const { page } = await open('#plot')
    await drawn(page)
    const box = page.getByRole('list', { name: 'Runs', exact: true }).getByRole('checkbox').nth(1)
    const before = await box.isChecked()
    await box.focus()
    await press(page, 'Space')
    await expect.poll(() => box.isChecked()).toBe(!before)
    expect(await box.evaluate((element) => element.matches(':focus'))).toBe(true)
    await page.getByRole('button', { name: 'Clear' }).first().focus()
    await press(page, 'Enter')
    await expect.poll(() => chosen(page).count()).toBe(0)
    expect(await page.locator(':focus').getAttribute('aria-label')).toBe('Search the runs')
  })

  test('find runs by what the Runs tab shows', async () => {
    const { page } = await open('#runs?filter=rhgh%20completed')
    await rowsOf(page).first().waitFor()
    const found = (await cells(page, 1)).toSorted()
    expect(found.length).toBeGreaterThan(0)
    await press(page, '3')
    await drawn(page)
    await page.getByLabel('Search the runs').fill('rhgh completed')
    const listed = page.getByRole('list', { name: 'Runs', exact: true }).locator('li')
    await expect
      .poll(async () => (await listed.allTextContents()).map((text) => text.trim().split(' ')[0]).toSorted())
      .toEqual(found)
  })

  test('name the remedy for a run that the server does not have', async () => {
    const { page } = await open('#plot?runs=unknown-run')
    await page.getByRole('alert').getByText('unknown-run').waitFor()
    await page.getByRole('alert').getByText('Choose from the list of runs').waitFor()
  })
})

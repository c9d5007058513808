import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { connectSession } from '../../../mock/control/connect-session.ts'
import { openConsole, violations } from '../support/console-page.ts'
import { choose, consoleSuite, result, runButton, statement } from '../support/console-suite.ts'

const { browser, open, server } = consoleSuite()

const editor = (page: Page) => page.getByLabel('SQL statement')

/** The chart of a column. */
const chart = (page: Page, y: string) => page.getByRole('group', { name: new RegExp(`^${y}: `) })

/** Writes a statement and runs it, by keyboard. */
async function ask(page: Page, text: string): Promise<void> {
  await editor(page).focus()
  await page.locator('.cm-content').waitFor()
  await page.keyboard.press('Control+A')
  await page.keyboard.type(text)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+Enter')
}

test('a statement that is no SELECT waits for the button', async () => {
  const { page } = await open(statement('DELETE FROM v_bioprocesses'))
  await page.getByText('No rows yet').waitFor()
  await runButton(page).click()
  await page.getByRole('alert').waitFor()
})

test('an editor that is emptied stays empty', async () => {
  const { page } = await open('#ask')
  await editor(page).focus()
  await page.locator('.cm-content').waitFor()
  await page.keyboard.press('Control+A')
  await page.keyboard.press('Delete')
  await page.locator('.cm-content .cm-placeholder').waitFor()
  await page.waitForTimeout(500)
  expect(await page.locator('.cm-content .cm-placeholder').count()).toBe(1)
  expect(await runButton(page).isDisabled()).toBe(true)
})

describe('the statements of a page', () => {
  test('are entries in the history of the browser, whose rows come back', async () => {
    const { page } = await open(statement('SELECT id FROM v_bioprocesses LIMIT 1'))
    await result(page).getByText('1 row').waitFor()
    await ask(page, 'SELECT id FROM v_bioprocesses LIMIT 2')
    await result(page).getByText('2 rows').waitFor()
    await ask(page, 'SELECT id FROM v_bioprocesses LIMIT 3')
    await result(page).getByText('3 rows').waitFor()
    await page.goBack()
    await result(page).getByText('2 rows').waitFor()
    await page.goBack()
    await result(page).getByText('1 row', { exact: true }).waitFor()
    await page.goForward()
    await result(page).getByText('2 rows').waitFor()
    expect(await page.locator('.cm-content').innerText()).toContain('LIMIT 2')
  })

  test('do not show the rows of another one that still runs', async () => {
    const { page } = await open(statement('SELECT id FROM v_bioprocesses LIMIT 1'))
    await result(page).getByText('1 row', { exact: true }).waitFor()
    await page.evaluate(`location.hash = '${statement('SELECT pg_sleep(1)')}'`)
    await page.getByText('Running …').waitFor()
    await page.evaluate(`location.hash = '${statement('DELETE FROM v_bioprocesses')}'`)
    await page.getByText('No rows yet').waitFor()
    await page.waitForTimeout(1500)
    expect(await page.getByText('No rows yet').count()).toBe(1)
  })

  test('stay in the browser with how they ended, the latest first, and are forgotten', async () => {
    const { page } = await open(statement('SELECT id FROM v_bioprocesses LIMIT 1'))
    await result(page).getByText('1 row', { exact: true }).waitFor()
    await ask(page, 'SELECT id FROM v_formulas LIMIT 2')
    await result(page).getByText('2 rows').waitFor()
    // the address follows within 300 ms
    await expect.poll(() => page.url()).toMatch(/LIMIT\+2$/)
    await page.reload()
    await page.getByText('Past statements (2)').click()
    expect(await page.locator('.menu[open] button').allInnerTexts()).toEqual([
      expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d · 2 rows · SELECT id FROM v_formulas LIMIT 2$/),
      expect.stringContaining('v_bioprocesses'),
      'Forget all',
    ])
    expect(await violations(page)).toEqual([])
    await page.locator('.menu[open] button', { hasText: 'v_bioprocesses' }).click()
    await result(page).getByText('1 row', { exact: true }).waitFor()
    await choose(page, 'Past statements (2)', 'Forget all')
    await page.getByText('Past statements').waitFor({ state: 'detached' })
  })

  test('mark rows that are of the statement before', async () => {
    const { page } = await open(statement('SELECT id FROM v_bioprocesses LIMIT 1'))
    await result(page).getByText('1 row', { exact: true }).waitFor()
    await editor(page).focus()
    await page.locator('.cm-content').waitFor()
    await page.keyboard.press('Control+End')
    await page.keyboard.type('2')
    const former = page.getByText('Rows of the statement before')
    await former.waitFor()
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+Enter')
    await result(page).getByText('12 rows').waitFor()
    expect(await former.count()).toBe(0)
  })

  test('have a filter of their own where their columns differ', async () => {
    const { page } = await open(`${statement('SELECT id FROM v_bioprocesses LIMIT 3')}&filter=nothing`)
    await result(page).getByText('3 rows are hidden by the filter').waitFor()
    await result(page).getByRole('button', { name: 'Clear the filter' }).click()
    await result(page).getByText('3 rows', { exact: true }).waitFor()
    expect(await page.locator(':focus').getAttribute('aria-label')).toBe('Filter rows')
    await page.getByLabel('Filter rows').fill('nothing')
    await ask(page, 'SELECT id FROM v_bioprocesses LIMIT 4')
    await result(page).getByText('4 rows are hidden by the filter').waitFor()
    await ask(page, 'SELECT name FROM v_formulas LIMIT 2')
    await result(page).getByText('2 rows', { exact: true }).waitFor()
    // the address follows within 300 ms
    await expect.poll(() => page.url()).not.toContain('filter')
  })

  test('show how much of their answer is read, and are cancelled meanwhile', async () => {
    const session = connectSession({ baseUrl: server().baseUrl, id: 'slow' })
    await session.faults(['drip:20KB/s'])
    const sql = "SELECT g, repeat('x', 90) AS x FROM generate_series(1, 9000) AS g"
    const { page, problems } = await openConsole(browser(), `${session.baseUrl}/${statement(sql)}`)
    await page.getByText(/Running … .* · [\d.]+ kB · \d+ rows/).waitFor()
    expect(await runButton(page).getAttribute('aria-busy')).toBe('true')
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('Cancelled after').waitFor()
    expect(await runButton(page).getAttribute('aria-busy')).toBe('false')
    expect(problems).toEqual([])
    await session.end()
  })

  test('say how many rows the page shows of a result that is too long for it', async () => {
    const { page } = await open(statement("SELECT repeat('x', 1000000) AS x FROM generate_series(1, 60)"))
    await page.getByText('These are the first 50 rows').waitFor()
  })
})

describe('the chart under the rows', () => {
  const points = 'SELECT timestamp, value, 2 * value AS twice FROM v_timeseries_data'

  test('has the axes and the zoom of its link, and the zoom ends with the statement', async () => {
    const { page, problems } = await open(statement(`${points} LIMIT 9`))
    await chart(page, 'value').waitFor()
    await page.getByText('9 points').waitFor()
    await page.getByRole('combobox', { name: 'y', exact: true }).selectOption('twice')
    await chart(page, 'twice').focus()
    await page.keyboard.press('+')
    await expect.poll(() => page.url()).toMatch(/y=twice.*view=/)
    expect(await violations(page)).toEqual([])
    const { page: other } = await open(new URL(page.url()).hash)
    await chart(other, 'twice').waitFor()
    expect(other.url()).toBe(page.url())
    await ask(page, `${points} LIMIT 8`)
    await page.getByText('8 points').waitFor()
    await chart(page, 'twice').waitFor()
    await expect.poll(() => page.url()).not.toContain('view=')
    await ask(page, 'SELECT name, status FROM v_bioprocesses LIMIT 2')
    await result(page).getByText('2 rows').waitFor()
    expect(await page.locator('.chart').count()).toBe(0)
    await expect.poll(() => page.url()).not.toContain('y=twice')
    expect(problems).toEqual([])
  })
})

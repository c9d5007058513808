import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { violations } from '../support/console-page.ts'
import { clipboard, consoleSuite, result, runButton, statement } from '../support/console-suite.ts'

const { open } = consoleSuite()

const editor = (page: Page) => page.getByLabel('SQL statement')

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

  test('stay in the browser, and are saved and forgotten', async () => {
    const { page } = await open(statement('SELECT id FROM v_bioprocesses LIMIT 1'))
    await result(page).getByText('1 row', { exact: true }).waitFor()
    await ask(page, 'SELECT id FROM v_formulas LIMIT 2')
    await result(page).getByText('2 rows').waitFor()
    await page.reload()
    await page.getByText('Past statements (2)').click()
    await page.getByRole('button', { name: 'Save SELECT id FROM v_bioprocesses LIMIT 1' }).click()
    await page.getByRole('button', { name: 'Forget those not saved' }).click()
    await page.getByText('Past statements (1)').waitFor()
    await page.locator('.past button', { hasText: 'v_bioprocesses LIMIT 1' }).click()
    await result(page).getByText('1 row', { exact: true }).waitFor()
    expect(await violations(page)).toEqual([])
  })

  test('mark rows that are of the statement before, whose link they keep', async () => {
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
    await page.keyboard.press('l')
    await expect.poll(() => clipboard(page)).toMatch(/LIMIT\+1$/)
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

  test('keep a result beside the next one', async () => {
    const { page } = await open(statement('SELECT id FROM v_bioprocesses LIMIT 1'))
    await result(page).getByText('1 row', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Keep result' }).click()
    await ask(page, 'SELECT id FROM v_formulas LIMIT 2')
    await result(page).getByText('2 rows').waitFor()
    const kept = page.getByRole('region', { name: 'Kept result of SELECT id FROM v_bioprocesses LIMIT 1' })
    await kept.getByText('1 row', { exact: true }).waitFor()
    expect(await violations(page)).toEqual([])
    await kept.getByRole('button', { name: 'Remove' }).click()
    await kept.waitFor({ state: 'detached' })
  })
})

describe('the editor', () => {
  test.each([
    ['SELECT id, nope FROM v_bioprocesses', 'nope'],
    ['SELCT * FROM v_bioprocesses', 'SELCT'],
    ['SELECT * FROM v_unknown', 'v_unknown'],
  ])('marks in %s the word that the error names', async (text, word) => {
    const { page } = await open('#ask')
    await ask(page, text)
    await page.getByRole('alert').waitFor()
    await expect.poll(() => page.locator('.wrong').allInnerTexts()).toEqual([word])
    await page.locator('.cm-content').focus()
    await page.keyboard.type(' ')
    await expect.poll(() => page.locator('.wrong').count()).toBe(0)
  })

  test('takes the names of views and columns', async () => {
    const { page } = await open(statement('SELECT 1'))
    await editor(page).focus()
    await page.locator('.cm-content').waitFor()
    await page.keyboard.press('Control+A')
    await page.getByText('Views and columns').click()
    await page.locator('summary', { hasText: /^v_formulas$/ }).click()
    await page.locator('.columns-of-views details[open] button', { hasText: /^name/ }).click()
    await expect.poll(() => page.locator('.cm-content').innerText()).toBe('name')
  })
})

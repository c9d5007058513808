import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { launchChromium } from './chromium.ts'
import { type CliServer, startCliServer } from './cli.ts'
import { openConsole, type OpenOptions } from './console-page.ts'

/** The folder of the screenshots, for people to look at. */
export const screenshots = 'node_modules/.cache/bioprocess-sql-e2e/console'

/** A browser and a server for the tests of a file; each test begins without a page. */
export function consoleSuite() {
  let browser: Browser
  let server: CliServer
  beforeAll(async () => {
    ;[browser, server] = await Promise.all([launchChromium(), startCliServer([])])
  })
  afterAll(async () => {
    await browser?.close()
    await server?.stop()
  })
  afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()))
  })
  return {
    browser: () => browser,
    server: () => server,
    /** Opens the page of the server at a fragment. */
    open: (hash = '', options: OpenOptions = {}) =>
      openConsole(browser, `${server.baseUrl}/${hash}`, options),
    /** What the server tells the page. */
    told: () =>
      fetch(`${server.baseUrl}/_mock/console`).then((answer) => answer.json() as Promise<{ token: string }>),
  }
}

/** The fragment of a statement. */
export const statement = (text: string) => `#ask?sql=${encodeURIComponent(text)}`
export const result = (page: Page) => page.getByRole('region', { name: 'Result' })
export const runButton = (page: Page) => page.getByRole('button', { name: /^Run Ctrl/ })
/** The rows of a table that are drawn. */
export const rowsOf = (page: Page) => page.locator('.grid tbody tr[id]')
/** The panel of a row. */
export const panel = (page: Page) => page.locator('dialog.row-panel')
/** Chooses in a menu. */
export async function choose(page: Page, menu: string, item: string): Promise<void> {
  await page.locator('.menu summary').getByText(`${menu} ▾`, { exact: true }).click()
  await page.locator('.menu[open]').getByRole('button', { name: item, exact: true }).click()
}
export const clipboard = (page: Page) => page.evaluate<string>('navigator.clipboard.readText()')

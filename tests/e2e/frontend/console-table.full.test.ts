import { readFileSync } from 'node:fs'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { ask } from '../support/ask.ts'
import { overflow, violations } from '../support/console-page.ts'
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

const { open, server, told } = consoleSuite()

/** Runs a statement in the page. */
async function show(sql: string, options = {}) {
  const opened = await open(statement(sql), options)
  await runButton(opened.page).click()
  await rowsOf(opened.page).first().waitFor()
  return opened
}
const table = (page: Page) => page.getByRole('grid', { name: 'Rows' })
const head = (page: Page, name: string) => table(page).getByRole('columnheader', { name, exact: true })
const cells = (page: Page, place: number): Promise<string[]> =>
  page.locator(`.grid tbody tr[id] td:nth-of-type(${place})`).allTextContents()
const widthOf = async (locator: Locator) => (await locator.boundingBox())!.width
const isCut = (cell: { scrollWidth: number; clientWidth: number }) => cell.scrollWidth > cell.clientWidth
const isFocused = (locator: Locator) => locator.evaluate((element) => element.matches(':focus'))

/** Values that are out of order as numbers, as texts and as nulls. */
const mixed = `SELECT * FROM (VALUES (10, 'b', 1.50), (9, 'a', NULL), (100, 'C', 12345678901234567891), (NULL, 'a', 12345678901234567890)) AS t (n, s, w)`
/** The most milliseconds that the page took no key and drew nothing, from now until `act` has had its effect. */
async function longestPause(page: Page, act: () => Promise<void>): Promise<number> {
  await page.evaluate(`window.longest = 0; window.observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.longest = Math.max(window.longest, duration) })
    window.observer.observe({ type: 'longtask' })`)
  await act()
  await page.waitForTimeout(200)
  return page.evaluate<number>('window.observer.disconnect(), window.longest')
}

describe('the table', () => {
  test('sorts by a click on a header, and a third click shows the rows as sent', async () => {
    const { page, problems } = await show(mixed)
    const sortBy = (name: string) => head(page, name).getByRole('button').click()
    await sortBy('n')
    await expect.poll(() => cells(page, 1)).toEqual(['9', '10', '100', 'null'])
    expect(await head(page, 'n').getAttribute('aria-sort')).toBe('ascending')
    await sortBy('n')
    await expect.poll(() => cells(page, 1)).toEqual(['100', '10', '9', 'null'])
    expect(await head(page, 'n').getAttribute('aria-sort')).toBe('descending')
    await sortBy('s')
    await expect.poll(() => cells(page, 1)).toEqual(['100', '9', 'null', '10'])
    expect(await head(page, 'n').getAttribute('aria-sort')).toBe('none')
    await sortBy('w')
    await expect
      .poll(() => cells(page, 3))
      .toEqual(['1.50', '12345678901234567890', '12345678901234567891', 'null'])
    await sortBy('w')
    await sortBy('w')
    await expect.poll(() => cells(page, 1)).toEqual(['10', '9', '100', 'null'])
    expect(problems).toEqual([])
  })

  test.each([
    [860, true],
    [1920, false],
  ])('shares a screen of %i px among the columns', async (width, someAreCut) => {
    const { page } = await show(`SELECT 1 AS a, repeat('x', 60) AS b, repeat('y', 40) AS c`, { width })
    const frame = page.locator('.grid')
    const cells = await page.locator('.grid tbody td').all()
    const cut = await Promise.all(cells.map((cell) => cell.evaluate(isCut)))
    expect(cut.includes(true)).toBe(someAreCut)
    expect(await widthOf(table(page))).toBeGreaterThanOrEqual((await widthOf(frame)) - 1)
  })

  test('hides columns, and filters rows, also in what is copied', async () => {
    const { page, problems } = await show(mixed)
    await result(page).locator('summary', { hasText: 'Columns' }).click()
    await result(page).getByRole('button', { name: '☑ n', exact: true }).click()
    // the menu stays
    await result(page).getByRole('button', { name: '☑ w', exact: true }).click()
    await page.keyboard.press('Escape')
    await result(page).getByText('1 of 3 columns').waitFor()
    await page.getByLabel('Filter rows').fill('A')
    await result(page).getByRole('heading', { name: '2 of 4 rows' }).waitFor()
    expect(await cells(page, 1)).toEqual(['a', 'a'])
    await choose(page, 'Copy or save', 'Copy JSON')
    await expect.poll(async () => JSON.parse(await clipboard(page))).toEqual([{ s: 'a' }, { s: 'a' }])
    // a hidden column is not searched
    await page.getByLabel('Filter rows').fill('100')
    await result(page).getByRole('heading', { name: '0 of 4 rows' }).waitFor()
    await choose(page, '1 of 3 columns', 'Show all')
    await result(page).getByRole('heading', { name: '1 of 4 rows' }).waitFor()
    expect(problems).toEqual([])
  })

  test('filters by comparisons and excluded words, and names the columns that a name may mean', async () => {
    const { page, problems } = await show(mixed)
    const filter = page.getByLabel('Filter rows')
    await filter.fill('n>=10 -s:c')
    await result(page).getByRole('heading', { name: '1 of 4 rows' }).waitFor()
    expect(await cells(page, 1)).toEqual(['10'])
    expect(await filter.getAttribute('title')).toContain('column<=2026-01-31')
    expect(await filter.getAttribute('placeholder')).toBe('word  -word  column:word')
    expect(await filter.evaluate(isCut)).toBe(false)
    await filter.fill('ss:a')
    await page.getByRole('status').getByText('There is no column ss. The columns are: n, s, w.').waitFor()
    expect(await violations(page)).toEqual([])
    expect(problems).toEqual([])
  })

  test('is saved as CSV, whose name has the views and the day, with values as they were sent', async () => {
    const { page } = await show('SELECT id, last_updated_at FROM v_bioprocesses LIMIT 3')
    const saved = page.waitForEvent('download')
    await choose(page, 'Copy or save', 'Save CSV')
    const file = await saved
    expect(file.suggestedFilename()).toMatch(/^v_bioprocesses-\d{4}-\d\d-\d\d\.csv$/)
    const { rows } = await ask(
      { baseUrl: server().baseUrl, ...(await told()) },
      'SELECT id, last_updated_at FROM v_bioprocesses LIMIT 3',
    )
    const lines = rows.map((row) => `${String(row['id'])},${String(row['last_updated_at'])}\r\n`)
    expect(readFileSync(await file.path(), 'utf8')).toBe(`id,last_updated_at\r\n${lines.join('')}`)
  })

  test('keeps its first column in view when it is scrolled to the side', async () => {
    const { page } = await show(
      `SELECT 'first' AS a, repeat('x', 90) AS b, repeat('y', 90) AS c, repeat('z', 90) AS d, 5 AS e`,
      { width: 768 },
    )
    await page.evaluate(`document.querySelector('.grid').scrollLeft = 1e6`)
    await head(page, 'e').waitFor()
    const row = (await rowsOf(page).first().locator('th').boundingBox())!
    for (const cell of [head(page, 'a'), page.locator('.grid td', { hasText: 'first' })])
      expect((await cell.boundingBox())!.x).toBeCloseTo(row.x + row.width, 0)
    // the cursor is not hidden by it
    await table(page).focus()
    for (const key of ['ArrowDown', 'End', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft'])
      await page.keyboard.press(key)
    const cursor = page.locator('.grid td[id$=-cursor]', { hasText: 'xxx' })
    const pinned = (await head(page, 'a').boundingBox())!
    await expect
      .poll(async () => (await cursor.boundingBox())!.x)
      .toBeGreaterThanOrEqual(pinned.x + pinned.width - 1)
  })

  test('writes numbers to the right, in figures of one width, also after nulls', async () => {
    const { page } = await show('SELECT CASE WHEN g > 60 THEN g END AS n FROM generate_series(1, 80) AS g')
    await rowsOf(page).first().waitFor()
    const style = await page.evaluate(
      `(({ textAlign, fontVariantNumeric }) => [textAlign, fontVariantNumeric])(getComputedStyle(document.querySelector('.grid td')))`,
    )
    expect(style).toEqual(['right', 'tabular-nums'])
  })

  test('leaves a marked text alone', async () => {
    const target = { baseUrl: server().baseUrl, ...(await told()) }
    await ask(target, "SELECT 'marked'")
    const { page } = await open('#traffic?filter=SELECT')
    const cell = rowsOf(page)
      .filter({ hasText: "SELECT 'marked'" })
      .locator('td', { hasText: 'marked' })
      .first()
    // a double click marks a word, also where the panel would open
    await cell.dblclick({ position: { x: 70, y: 10 } })
    await page.waitForTimeout(400)
    expect(await panel(page).count()).toBe(0)
    const marked = () => page.evaluate<string>('getSelection().toString()')
    expect(await marked()).toBe('marked')
    await ask(target, 'SELECT 2')
    await rowsOf(page).filter({ hasText: 'SELECT 2' }).first().waitFor()
    expect(await marked()).toBe('marked')
    await page.keyboard.press('Control+C')
    await expect.poll(() => clipboard(page)).toBe('marked')
  })

  // another process may take the processor in the middle of a task
  test(
    'moves through 100,000 rows by keys, and sorts and filters them without a pause',
    { retry: 2 },
    async () => {
      const { page, problems } = await show('SELECT * FROM v_timeseries_data LIMIT 100000')
      await result(page).getByText('100,000 rows').waitFor()
      await table(page).focus()
      const activeNumber = () =>
        page.evaluate<string>(
          `document.getElementById(document.querySelector('[role=grid]').getAttribute('aria-activedescendant')).closest('tr').cells[0].textContent`,
        )
      for (const [key, number] of [
        ['ArrowDown', '1'],
        ['ArrowDown', '2'],
        ['ArrowUp', '1'],
        ['Control+End', '100000'],
        ['ArrowUp', '99999'],
        ['Control+Home', '1'],
      ] as const) {
        await page.keyboard.press(key)
        await expect.poll(activeNumber, { message: key }).toBe(number)
      }
      await page.keyboard.press('PageDown')
      await page.keyboard.press('PageDown')
      await expect.poll(async () => Number(await activeNumber())).toBeGreaterThan(20)
      const active = page.locator('.grid tr[aria-selected=true]')
      const inView = async () => {
        const [frame, row] = await Promise.all([page.locator('.grid').boundingBox(), active.boundingBox()])
        return row!.y >= frame!.y + 28 && row!.y + row!.height <= frame!.y + frame!.height + 1
      }
      await expect.poll(inView).toBe(true)
      await page.keyboard.press('Control+End')
      await expect.poll(inView).toBe(true)

      // a script that works for 120 ms is seen
      const busy = 'for (const end = performance.now() + 120; performance.now() < end; );'
      const seen = await longestPause(page, () =>
        page.evaluate(`new Promise((done) => setTimeout(() => { ${busy} done() }))`),
      )
      expect(seen).toBeGreaterThanOrEqual(100)
      const sorting = await longestPause(page, async () => {
        await head(page, 'id').getByRole('button').click()
        await head(page, 'value').getByRole('button').click()
        await page.locator('th[aria-sort=ascending]', { hasText: 'value' }).waitFor()
      })
      const filtering = await longestPause(page, async () => {
        await page.getByLabel('Filter rows').pressSequentially('7.3')
        await result(page)
          .getByText(/^[\d,]+ of 100,000 rows/)
          .waitFor()
      })
      const scrolling = await longestPause(page, () =>
        page.evaluate(`(async () => {
        for (let step = 0; step < 60; step++) {
          document.querySelector('.grid').scrollTop += 500
          await new Promise(requestAnimationFrame)
        }
      })()`),
      )
      console.log(`100,000 rows: longest tasks ${JSON.stringify({ sorting, filtering, scrolling })} ms`)
      for (const pause of [sorting, filtering, scrolling]) expect(pause).toBeLessThan(200)
      expect(problems).toEqual([])
    },
  )

  test('reaches the first and the last of 700,000 rows, which are higher than a box can be', async () => {
    const { page, problems } = await show('SELECT g FROM generate_series(1, 700000) AS g')
    await table(page).focus()
    const active = page.locator('.grid tr[aria-selected=true] th')
    for (const [key, number] of [
      ['Control+End', '700000'],
      ['PageUp', /^6999\d\d$/],
      ['Control+Home', '1'],
    ] as const) {
      await page.keyboard.press(key)
      await active.filter({ hasText: number }).waitFor()
      const [frame, row] = await Promise.all([page.locator('.grid').boundingBox(), active.boundingBox()])
      expect(row!.y).toBeGreaterThanOrEqual(frame!.y + 20)
      expect(row!.y + row!.height).toBeLessThanOrEqual(frame!.y + frame!.height + 8)
    }
    expect(problems).toEqual([])
  })

  test('draws only the columns in view of 300', async () => {
    const columns = Array.from({ length: 300 }, (_, index) => `g + ${index} AS column_${index}`)
    const { page } = await show(`SELECT ${columns.join()} FROM generate_series(1, 500) AS g`)
    expect(await page.locator('.grid thead th').count()).toBeLessThan(40)
    await page.evaluate(`document.querySelector('.grid').scrollLeft = 1e6`)
    await head(page, 'column_299').waitFor()
    const frame = (await page.locator('.grid').boundingBox())!
    const last = (await head(page, 'column_299').boundingBox())!
    expect(last.x + last.width).toBeCloseTo(frame.x + frame.width, -2)
    await head(page, 'column_299').getByRole('button').click()
    await rowsOf(page).first().click()
    await panel(page).getByText('column_123', { exact: true }).waitFor()
    await page.evaluate(`document.querySelector('.grid').scrollLeft = 0`)
    await head(page, 'column_0').waitFor()
  })
})

describe('the panel of a row', () => {
  const sql = `SELECT g AS n, json_build_object('a', 2.50, 'b', json_build_array(g, NULL)) AS o, NULL AS e FROM generate_series(1, 3) AS g`

  test('opens by Enter, shows values in full, copies them, and gives the focus back on Escape', async () => {
    const { page, problems } = await show(sql)
    await table(page).focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await panel(page).getByRole('heading', { name: 'Row 1' }).waitFor()
    expect(await panel(page).locator(':focus').count()).toBe(1)
    await panel(page).getByRole('button', { name: 'Next row' }).click()
    await panel(page).getByRole('heading', { name: 'Row 2' }).waitFor()
    await panel(page).getByRole('button', { name: 'Copy o' }).click()
    await expect
      .poll(async () => (await clipboard(page)).replaceAll(/\s/g, ''))
      .toBe('{"a":2.50,"b":[2,null]}')
    await panel(page).getByRole('button', { name: 'Copy row' }).click()
    await expect
      .poll(async () => (await clipboard(page)).replaceAll(/\s/g, ''))
      .toBe('{"n":2,"o":{"a":2.50,"b":[2,null]},"e":null}')
    await panel(page).getByRole('button', { name: 'Previous row' }).click()
    await panel(page).getByRole('heading', { name: 'Row 1' }).waitFor()
    await page.keyboard.press('Escape')
    await panel(page).waitFor({ state: 'detached' })
    expect(await isFocused(table(page))).toBe(true)
    expect(problems).toEqual([])
  })

  test('opens by a click, and follows the keys of the table', async () => {
    const { page } = await show(sql)
    await rowsOf(page).nth(1).locator('td').first().click()
    await panel(page).getByRole('heading', { name: 'Row 2' }).waitFor()
    await rowsOf(page).nth(2).locator('td').first().click()
    await panel(page).getByRole('heading', { name: 'Row 3' }).waitFor()
    await table(page).focus()
    await page.keyboard.press('Control+Home')
    await panel(page).getByRole('heading', { name: 'Row 1' }).waitFor()
    await panel(page).getByRole('button', { name: 'Close' }).click()
    await panel(page).waitFor({ state: 'detached' })
    expect(await isFocused(table(page))).toBe(true)
  })

  test('closes when other rows take the place of those of its table', async () => {
    const { page } = await open()
    await rowsOf(page).first().click()
    await panel(page).waitFor()
    // another token reads the runs again
    // the panel covers the menu
    await page.locator('.menu summary', { hasText: 'Menu' }).press('Enter')
    await page.getByRole('button', { name: 'Token: server’s' }).press('Enter')
    await page.getByLabel('Bearer token').fill((await told()).token)
    await page.getByRole('button', { name: 'Use', exact: true }).click()
    await panel(page).waitFor({ state: 'detached' })
    await rowsOf(page).first().waitFor()
  })

  test('is called by the name of its row, and closes when Back removes a filter', async () => {
    const { page } = await open()
    await rowsOf(page).first().waitFor()
    await page.evaluate(`location.hash = '#runs?filter=EC-'`)
    await page.getByText(/^\d+ of \d+ runs$/).waitFor()
    const run = await rowsOf(page).first().locator('td').first().textContent()
    await rowsOf(page).first().click()
    await panel(page).getByRole('heading', { name: run! }).waitFor()
    await page.goBack()
    await panel(page).waitFor({ state: 'detached' })
    expect(await isFocused(table(page))).toBe(true)
  })

  test('scrolls an item that unfolds into view', async () => {
    const { page } = await show(
      `SELECT json_agg(json_build_object('a', g, 'b', g)) AS o FROM generate_series(1, 60) AS g`,
    )
    await rowsOf(page).first().click()
    const items = panel(page).locator('summary')
    const bottom = (await panel(page).boundingBox())!.height
    const tops = await items.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().bottom))
    const last = tops.findLastIndex((at) => at <= bottom)
    await items.nth(last).click()
    await expect
      .poll(() =>
        panel(page)
          .locator('details[open]')
          .evaluate((one) => one.getBoundingClientRect().bottom),
      )
      .toBeLessThanOrEqual(bottom + 1)
  })

  test('shows the first part of a value of 5 MB, and copies all of it', async () => {
    const { page } = await show(`SELECT repeat('0123456789', 500000) AS t, 1 AS n`)
    const pause = await longestPause(page, async () => {
      await rowsOf(page).first().click()
      await panel(page).getByText('4,980,000 more letters: Copy takes all').waitFor()
    })
    console.log(`a value of 5 MB: longest task ${pause} ms`)
    expect((await panel(page).textContent())!.length).toBeLessThan(30_000)
    await panel(page).getByRole('button', { name: 'Copy t' }).click()
    await expect
      .poll(() => page.evaluate('navigator.clipboard.readText().then((text) => text.length)'))
      .toBe(5e6)
  })

  test('shows scripts and marks of direction as text', async () => {
    const script = '<script>window.broken = 1</script>'
    const turned = '\u202Eabc שלום \u2067x'
    const { page, problems } = await show(`SELECT '${script}' AS "${script}", '${turned}' AS r, 'after' AS z`)
    await rowsOf(page).first().click()
    await panel(page).waitFor()
    for (const text of [script, turned, 'after'])
      expect(await panel(page).locator('pre').allTextContents()).toContain(text)
    expect(await cells(page, 2)).toEqual([turned])
    expect(await page.evaluate('[window.broken, document.querySelectorAll("main script").length]')).toEqual([
      undefined,
      0,
    ])
    expect(problems).toEqual([])
  })
})

test.each(['light', 'dark'] as const)(
  'axe finds nothing in the table and its panel, %s',
  async (colorScheme) => {
    for (const width of [390, 768, 1280, 1920]) {
      const { page, problems } = await show('SELECT * FROM v_bioprocesses', { width, colorScheme })
      await head(page, 'name').getByRole('button').click()
      const picture = (name: string) =>
        page.screenshot({ path: `${screenshots}/table-${name}-${colorScheme}-${width}.png` })
      await picture('rows')
      expect(await violations(page), `table at ${width}`).toEqual([])
      if (width < 860) await page.getByText('Filter', { exact: true }).click()
      await result(page).locator('summary', { hasText: 'Columns' }).click()
      await picture('menu')
      expect(await violations(page), `menu at ${width}`).toEqual([])
      await page.keyboard.press('Escape')
      await rowsOf(page).nth(3).locator('td').first().click()
      await panel(page).waitFor()
      await picture('panel')
      expect(await violations(page), `panel at ${width}`).toEqual([])
      const sizes = await page
        .locator('.grid button, .result summary, dialog :is(button, summary)')
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect()))
      // the browser leaves out what is far below in the panel
      const drawn = sizes.filter(({ height }) => height > 0)
      expect(drawn.length).toBeGreaterThan(20)
      for (const { width, height } of drawn) expect(Math.min(width, height)).toBeGreaterThanOrEqual(24)
      await expect.poll(() => overflow(page), { message: `overflow at ${width}` }).toBeLessThanOrEqual(0)
      expect(problems).toEqual([])
      await page.context().close()
    }
  },
)

import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { ask } from '../support/ask.ts'
import { startCliServer } from '../support/cli.ts'
import { openConsole, overflow, violations } from '../support/console-page.ts'
import { consoleSuite, panel, rowsOf } from '../support/console-suite.ts'

const { browser, server, open, told } = consoleSuite()

const chart = (page: Page) => page.locator('.chart').first()
const drawn = (page: Page) => page.locator('.u-over').first().waitFor()
/** The codes of the runs in the plot. */
const inPlot = async (page: Page) =>
  (await page.getByRole('list', { name: 'Runs in the plot' }).locator('li').allTextContents()).map(
    (text) => text.trim().split(' ')[0],
  )
const focused = (page: Page) => page.locator(':focus').getAttribute('aria-label')
const codes = (page: Page) => page.locator('.grid tbody tr[id] td:nth-of-type(1)').allTextContents()
/** The codes once they stay: rows that arrive later select the first one again. */
const settled = async (page: Page): Promise<string[]> => {
  const before = await codes(page)
  await page.waitForTimeout(500)
  const after = await codes(page)
  return after.join() === before.join() ? after : settled(page)
}
const param = (page: Page, name: string) =>
  new URLSearchParams(new URL(page.url()).hash.split('?')[1]).get(name)
const rowsOfServer = async (statement: string) =>
  (await ask({ baseUrl: server().baseUrl, ...(await told()) }, statement)).rows

/** What the first chart shows; the cursor is no part of it. */
const picture = (page: Page) => page.evaluate<string>("document.querySelector('.chart canvas').toDataURL()")
const saved = async (page: Page, name: string) => {
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name, exact: true }).first().click()
  const file = await download
  return { name: file.suggestedFilename(), path: await file.path() }
}

describe('marked runs', () => {
  test('are plotted by keyboard, come first in the list of runs, and Back leads to the last of them', async () => {
    const { page, problems } = await open('#runs?filter=status:completed')
    await rowsOf(page).nth(5).waitFor()
    const all = await settled(page)
    await page.getByRole('grid').focus()
    await page.locator('tr[aria-selected=true]').waitFor()
    for (const key of ['ArrowDown', 'Space', 'ArrowDown', 'ArrowDown', 'Space'])
      await page.keyboard.press(key)
    const link = page.getByRole('link', { name: 'Plot 2 runs' })
    await link.waitFor()
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Shift+Tab')
    for (let steps = 0; steps < 8 && !(await link.evaluate((one) => one.matches(':focus'))); steps++)
      await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Enter')
    await drawn(page)
    const marked = [all[1], all[3]]
    expect(await inPlot(page)).toEqual(marked)
    const listed = page.getByRole('list', { name: 'Runs', exact: true }).locator('li')
    const first = (await listed.allTextContents()).slice(0, 2).map((text) => text.trim().split(' ')[0])
    expect(first.toSorted()).toEqual(marked.toSorted())
    await expect.poll(() => focused(page)).toMatch(`DO, %: ${marked.join(', ')}. Arrow keys`)
    await page.goBack()
    await rowsOf(page).first().waitFor()
    await expect.poll(() => page.getByRole('grid').evaluate((grid) => grid.matches(':focus'))).toBe(true)
    await expect.poll(() => page.locator('tr[aria-selected=true] td').first().textContent()).toBe(marked[1])
    expect(await page.getByRole('checkbox', { name: `Mark ${marked[1]}` }).isChecked()).toBe(true)
    expect(problems).toEqual([])
  })

  test('and the run of the open row are plotted by p', async () => {
    const { page } = await open('#runs?filter=status:completed')
    await rowsOf(page).nth(5).waitFor()
    const all = await settled(page)
    await page.getByRole('grid').focus()
    await page.locator('tr[aria-selected=true]').waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await panel(page).getByRole('link', { name: 'Plot the run' }).waitFor()
    await page.keyboard.press('p')
    await drawn(page)
    expect(await inPlot(page)).toEqual([all[1]])
    await page.goBack()
    await rowsOf(page).first().waitFor()
    await page.getByRole('checkbox', { name: `Mark ${all[2]}` }).check()
    await page.getByRole('checkbox', { name: `Mark ${all[4]}` }).check()
    await page.keyboard.press('p')
    await drawn(page)
    expect(await inPlot(page)).toEqual([all[2], all[4]])
  })

  test('are marked by a click on their box, which opens no row, and unmarked', async () => {
    const { page } = await open()
    await rowsOf(page).first().waitFor()
    const box = page.getByRole('checkbox', { name: /^Mark EC-/ }).first()
    await box.check()
    await page.getByRole('link', { name: 'Plot 1 run' }).waitFor()
    expect(await panel(page).count()).toBe(0)
    await page.getByRole('button', { name: 'Unmark' }).click()
    expect(await box.isChecked()).toBe(false)
    // a run without a start has no curve
    await page.getByLabel('Search the runs').fill('status:draft')
    await expect.poll(() => rowsOf(page).count()).toBeGreaterThan(0)
    await expect.poll(() => page.getByRole('checkbox', { name: /^Mark/ }).count()).toBe(0)
  })

  test('beyond those that look different are not drawn, which the plot says; many are folded', async () => {
    const rows = await rowsOfServer(
      'SELECT id FROM v_bioprocesses WHERE run_start_timestamp IS NOT NULL ORDER BY run_start_timestamp LIMIT 26',
    )
    const ids = rows.map(({ id }) => String(id))
    const { page, problems } = await open(`#plot?runs=${ids.join()}`)
    await drawn(page)
    await page.getByText('The first 24 of 26 runs are drawn: as many as look different.').waitFor()
    const chips = page.getByRole('list', { name: 'Runs in the plot' })
    expect(await chips.isVisible()).toBe(false)
    await page.locator('summary', { hasText: '24 runs' }).click()
    expect(await chips.locator('li').count()).toBe(24)
    expect(await chips.isVisible()).toBe(true)
    // the ninth curve has the colour of the first one, and dashes, also in the legend
    const backgrounds = await page.evaluate<string[]>(
      `[...document.querySelector('.chart').querySelectorAll('.u-series:not(:first-child) .u-marker')].map((one) => one.style.background)`,
    )
    expect(new Set(backgrounds).size).toBe(24)
    expect(backgrounds.filter((background) => background.includes('--c1')).length).toBe(3)
    await page.setViewportSize({ width: 390, height: 860 })
    await expect.poll(() => overflow(page)).toBeLessThanOrEqual(0)
    expect(await violations(page)).toEqual([])
    expect(problems).toEqual([])
  })
})

describe('a link', () => {
  test('keeps the open row, and Back from its plot leads to it', async () => {
    const { page } = await open()
    await rowsOf(page).nth(4).click()
    const code = (await codes(page))[4]!
    await expect.poll(() => param(page, 'row')).not.toBe(null)
    const other = await browser().newPage({ locale: 'en-US' })
    await other.goto(page.url())
    await panel(other).getByText(code).first().waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => param(page, 'row')).toBe(null)
    await page.keyboard.press('Enter')
    await panel(page).getByRole('link', { name: 'Plot the run' }).click()
    await drawn(page)
    await expect.poll(() => focused(page)).toMatch(new RegExp(`^DO, %: ${code}\\. `))
    await page.goBack()
    await panel(page).getByText(code).first().waitFor()
    await expect.poll(() => panel(page).evaluate((one) => one.matches(':focus-within'))).toBe(true)
    expect(await page.locator('tr[aria-selected=true] td').first().textContent()).toBe(code)
  })

  test('keeps the zoom, which Back leaves, and walks over the choices', async () => {
    const { page } = await open('#plot')
    await drawn(page)
    const runs = await inPlot(page)
    await expect.poll(() => param(page, 'runs')?.split(',').length).toBe(3)
    await page.getByRole('checkbox', { name: runs[0]! }).uncheck()
    await expect.poll(() => inPlot(page)).toEqual(runs.slice(1))
    await chart(page).focus()
    for (const key of ['+', '+', 'Shift+ArrowRight']) await page.keyboard.press(key)
    await expect.poll(() => param(page, 'view')).toMatch(/^[\d.]+,[\d.]+$/)
    await page.waitForTimeout(500)
    const other = await page.context().newPage()
    await other.goto(page.url())
    await drawn(other)
    await expect.poll(async () => (await picture(other)) === (await picture(page))).toBe(true)
    await page.goBack()
    await expect.poll(() => inPlot(page)).toEqual(runs)
    expect(param(page, 'view')).toBe(null)
    await page.goForward()
    await expect.poll(() => inPlot(page)).toEqual(runs.slice(1))
    await expect.poll(() => param(page, 'view')).toMatch(/,/)
  })
})

test('a drag over a chart shows what it covers', async () => {
  const { page } = await open('#plot')
  await drawn(page)
  const { x, y, width } = (await page.locator('.u-over').first().boundingBox())!
  await page.mouse.move(x + width / 4, y + 40)
  await page.mouse.down()
  await page.mouse.move(x + width / 2, y + 40, { steps: 5 })
  await page.mouse.up()
  await expect.poll(() => param(page, 'view')).not.toBe(null)
  const [from, to] = param(page, 'view')!.split(',').map(Number) as [number, number]
  expect(to / from).toBeCloseTo(2, 1)
  await page.locator('.u-over').first().dblclick()
  await expect.poll(() => param(page, 'view')).toBe(null)
})

describe('a live plant', () => {
  test('keeps the runs of a link and the zoom while points arrive', async () => {
    const live = await startCliServer(['--live', '7200', '--scale', '0.01'])
    const { page, problems } = await openConsole(browser(), `${live.baseUrl}/#plot?q=DO`)
    await drawn(page)
    // the header is one line
    expect((await page.locator('header.top').boundingBox())!.height).toBeLessThan(60)
    await expect.poll(() => param(page, 'runs')?.split(',').length).toBeGreaterThan(0)
    // of the oldest run, all points that arrive lie behind the others
    const oldest = param(page, 'runs')!.split(',').at(-1)
    await page.evaluate(`location.hash = '#plot?q=DO&runs=${oldest}'`)
    await page.getByText(/\d+ points? added/).waitFor()
    await chart(page).focus()
    for (const key of ['Home', '+', '+', '+', '+']) await page.keyboard.press(key)
    for (let steps = 0; steps < 20; steps++) await page.keyboard.press('Shift+ArrowLeft')
    await page.waitForTimeout(600)
    const view = param(page, 'view')
    const added = () => page.getByText(/\d+ points? added/).textContent()
    const said = await added()
    expect(view).toMatch(/,/)
    const before = await picture(page)
    await expect.poll(added, { timeout: 60_000 }).not.toBe(said)
    await page.waitForTimeout(200)
    expect(param(page, 'view')).toBe(view)
    expect((await picture(page)) === before).toBe(true)
    // a plant that goes on this fast may be late on a busy machine, and is asked again
    expect(problems.filter((text) => !text.includes('503'))).toEqual([])
    await page.context().close()
    await live.stop()
  })
})

describe('the vessels', () => {
  test('open at now, name their bars, and lead by keys from one to the plot of its run and back', async () => {
    const { page, problems } = await open('#plot?part=vessels')
    const bars = page.getByRole('group', { name: /^Bioprocesses by vessel/ })
    await bars.waitFor()
    const inView = (selector: string) =>
      page.locator(selector).evaluate((one) => {
        const { left, right } = one.getBoundingClientRect()
        const frame = one.closest('.scroll')!.getBoundingClientRect()
        return left >= frame.left && right <= frame.right
      })
    expect(await inView('.vessels .time.bad')).toBe(true)
    expect(await page.locator('.vessels .scroll').evaluate((one) => one.scrollLeft)).toBeGreaterThan(0)
    expect(await inView('.vessel:nth-of-type(2) b')).toBe(true)
    await page.locator('.vessels .scroll').evaluate((one) => (one.scrollLeft = 0))
    expect(await inView('.vessel:nth-of-type(2) b')).toBe(true)
    const names = await page.evaluate<string[]>(
      "[...document.querySelectorAll('.vessel a')].map(({ title }) => title)",
    )
    expect(names.every((name) => /^\S+-R\d+ .*\n\S+, [\d-]+ [\d:]+ to /.test(name))).toBe(true)
    expect(await violations(page)).toEqual([])

    await bars.locator('a[tabindex="0"]').focus()
    for (let steps = 0; steps < 3; steps++) await page.keyboard.press('ArrowLeft')
    const first = (await focused(page))!
    await page.keyboard.press('ArrowRight')
    const second = (await focused(page))!
    expect(second).not.toBe(first)
    const vessel = /-R\d+/.exec(first)![0]
    expect(second).toContain(vessel)
    await page.keyboard.press('ArrowDown')
    expect(await focused(page)).not.toContain(vessel)
    await page.keyboard.press('ArrowUp')
    const code = (await focused(page))!.split(' ')[0]!
    await page.keyboard.press('Enter')
    await drawn(page)
    expect(await inPlot(page)).toEqual([code])
    await expect.poll(() => focused(page)).toMatch(new RegExp(`^DO, %: ${code}`))
    await page.goBack()
    await expect.poll(() => focused(page)).toMatch(new RegExp(`^${code} `))
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 860 })
      await expect.poll(() => overflow(page)).toBeLessThanOrEqual(0)
    }
    expect(problems).toEqual([])
  })

  test('lead from a planned bioprocess to its row', async () => {
    const { page } = await open('#plot?part=vessels')
    const planned = page.locator('.vessels a.none').first()
    const code = (await planned.getAttribute('aria-label'))!.split(' ')[0]!
    await planned.click()
    await panel(page).getByText(code).first().waitFor()
  })
})

describe('what is saved of a chart', () => {
  test('has the run, its time and its unit in each line: CSV', async () => {
    const [row] = await rowsOfServer(
      "SELECT id, name FROM v_bioprocesses WHERE status = 'Completed' AND name LIKE 'EC-%' LIMIT 1",
    )
    const [id, run] = [String(row!['id']), String(row!['name'])]
    const { page } = await open(`#plot?q=DO&runs=${id}`)
    await page.getByText(/^A point is the mean of/).waitFor()
    const { name, path } = await saved(page, 'CSV')
    expect(name).toMatch(new RegExp(`^DO-${run.split(' ')[0]}-\\d{4}-\\d\\d-\\d\\d\\.csv$`))
    const [head, ...lines] = readFileSync(path, 'utf8').trimEnd().split('\r\n')
    expect(head).toMatch(
      /^run_id,run,timestamp,hours after the start,"DO, %\. A point is the mean of \d+ min\."$/,
    )
    expect(lines.length).toBeGreaterThan(20)
    for (const line of lines) {
      expect(line.startsWith(`${id},"${run}",`)).toBe(true)
      expect(line).toMatch(/,\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z,[\d.e-]+,[\d.]+$/)
    }
  })

  test('and what is read out are values beside the point that is named', async () => {
    const runs = await rowsOfServer(
      "SELECT id FROM v_bioprocesses WHERE status = 'Completed' AND name LIKE 'EC-%' ORDER BY run_start_timestamp DESC LIMIT 3",
    )
    const { page } = await open(`#plot?runs=${runs.map(({ id }) => id).join()}&q=OD600`)
    await drawn(page)
    await page.getByText('Reading the points …').waitFor({ state: 'detached' })
    const { path } = await saved(page, 'CSV')
    const known = readFileSync(path, 'utf8')
      .trim()
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(',').slice(-2).map(Number))
    await chart(page).focus()
    const last = Math.max(...known.map(([hours]) => hours!))
    let several = 0
    for (let n = 0; n < 12; n++) {
      await page.keyboard.press('ArrowRight')
      const [, at, values] = /^([\d.]+) h: (.*)$/.exec(
        (await chart(page).getByRole('status').textContent())!,
      )!
      const read = [...values!.matchAll(/ ([\d.]+) AU/g)].map(([, value]) => Number(value))
      expect(read.length).toBeGreaterThan(0)
      if (read.length > 1) several++
      for (const value of read)
        expect(
          known.some(
            ([hours, od]) => Math.abs(hours! - Number(at)) < last / 30 && Math.abs(od! / value - 1) < 1e-4,
          ) || value === 0,
          `${value} AU at ${at} h`,
        ).toBe(true)
    }
    expect(several).toBeGreaterThan(0)
  })
})

/**
 * Takes the pictures of README.md and docs/ from the console: `npm run pictures`, or with names for some of them. Chromium
 * writes WebP, and a run of the suite takes half a minute.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { ask } from './support/ask.ts'
import build from './support/build.ts'
import { launchChromium } from './support/chromium.ts'
import { root, startCliServer } from './support/cli.ts'
import { openConsole } from './support/console-page.ts'

interface Picture {
  /** The part of the address behind `#`. */
  readonly hash: string
  /** The part of the page in the picture. Default: the window. */
  readonly part?: string
  /** Shows what the picture is about. */
  prepare(page: Page): Promise<unknown>
}

build()
const server = await startCliServer(['--seed', '1'])
const { token } = (await (await fetch(`${server.baseUrl}/_mock/console`)).json()) as { token: string }
const { rows } = await ask({ baseUrl: server.baseUrl, token }, 'SELECT id, name, qc FROM v_bioprocesses')
const runs = rows as unknown as readonly { id: string; name: string; qc: { status: string } }[]

const drawn = (page: Page) => page.locator('.u-over').last().waitFor()

/** One run that passed, with some of its quantities. */
function runOf(name: string, quantities: readonly string[]): Picture {
  const run = runs.find((one) => one.qc.status === 'Pass' && one.name.includes(name))
  if (!run)
    throw new Error(`No run that passed has ${name} in its name: ${runs.map((one) => one.name).join(', ')}.`)
  return {
    hash: `plot?${new URLSearchParams({ runs: run.id, q: quantities.join('|') })}`,
    part: 'section[aria-label=Panels]',
    prepare: drawn,
  }
}

const pictures: Readonly<Record<string, Picture>> = {
  'console-runs': {
    hash: 'runs',
    prepare: (page) => page.locator('.happened svg path').last().waitFor(),
  },
  'console-ask': {
    hash: 'ask',
    async prepare(page) {
      await page.getByLabel('SQL statement').focus()
      await page.locator('.cm-content').waitFor()
      await page.keyboard.press('Control+Enter')
      await page.getByRole('region', { name: 'Result' }).waitFor()
    },
  },
  'console-plot': { hash: 'plot?align=induction', prepare: drawn },
  'console-traffic': {
    hash: 'traffic',
    async prepare(page) {
      await page.getByRole('button', { name: 'One in five fails' }).click()
      await page.locator('.armed').waitFor()
      for (const view of ['v_formulas', 'v_quantities', 'v_nothing', 'v_experiments'])
        await ask({ baseUrl: server.baseUrl, token }, `SELECT id, name FROM ${view} LIMIT 5`)
      await page.locator('.grid tr', { hasText: 'v_experiments' }).first().waitFor()
    },
  },
  'console-contract': {
    hash: 'contract?part=views&find=timestamp',
    prepare: (page) => page.locator('.columns td').first().waitFor(),
  },
  'console-judge': {
    hash: 'judge',
    async prepare(page) {
      await page.getByRole('button', { name: 'Run the suite' }).click()
      await page.frameLocator('iframe').getByText('conformant').first().waitFor({ timeout: 180_000 })
    },
  },
  'run-ecoli': runOf('E. coli', ['DO', 'OD600', 'pH']),
  'run-pichia': runOf('Pichia', ['DO', 'OD600', 'pH']),
  'run-cho': runOf('CHO', ['VCD', 'Viability', 'Glucose']),
}

const browser = await launchChromium()
try {
  for (const name of process.argv.length > 2 ? process.argv.slice(2) : Object.keys(pictures)) {
    const { hash, part, prepare } = pictures[name]!
    const { page } = await openConsole(browser, `${server.baseUrl}/#${hash}`)
    await page.setViewportSize({ width: 1280, height: part ? 2000 : 800 })
    await prepare(page)
    await page.waitForTimeout(500)
    const session = await page.context().newCDPSession(page)
    const box = part && (await page.locator(part).boundingBox())
    const { data } = await session.send('Page.captureScreenshot', {
      format: 'webp',
      quality: 70,
      ...(box && { clip: { ...box, scale: 1 } }),
    })
    writeFileSync(join(root, `docs/${name}.webp`), Buffer.from(data, 'base64'))
    console.log(`docs/${name}.webp`)
    await fetch(`${server.baseUrl}/_mock/faults`, { method: 'DELETE' })
    await page.context().close()
  }
} finally {
  await browser.close()
  await server.stop()
}

import { readFileSync } from 'node:fs'
import { createServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { root } from './cli.ts'

const axe = readFileSync(join(root, 'node_modules/axe-core/axe.min.js'), 'utf8')

export interface OpenOptions {
  readonly width?: number
  readonly colorScheme?: 'light' | 'dark'
}

/** Opens the page and collects everything that goes wrong in it. */
export async function openConsole(
  browser: Browser,
  url: string,
  { width = 1280, colorScheme = 'light' }: OpenOptions = {},
): Promise<{ page: Page; problems: string[] }> {
  const context = await browser.newContext({
    viewport: { width, height: 860 },
    colorScheme,
    bypassCSP: false,
    // without it, the language is that of the machine, and C.UTF-8 is none
    locale: 'en-US',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const page = await context.newPage()
  const problems: string[] = []
  page.on('pageerror', ({ message }) => problems.push(message))
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })
  await page.goto(url)
  return { page, problems }
}

/** The accessibility violations of the page, each with the elements that break the rule. */
export async function violations(page: Page): Promise<string[]> {
  // the policy of the page refuses script elements; the debugger protocol does not add one
  await page.evaluate(`if (!window.axe) { ${axe} }`)
  return page.evaluate(
    `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
       violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => id + ': ' + target + ' ' + failureSummary)))`,
  )
}

/** Pixels by which the page is wider than its window. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')

const types: Readonly<Record<string, string>> = { html: 'text/html', js: 'text/javascript', css: 'text/css' }

/** Serves a folder as a host of static files does. */
export async function serveStatic(folder: string): Promise<{ url: string; close(): Promise<void> }> {
  const server: HttpServer = createServer((request, response) => {
    const path = new URL(request.url!, 'http://static').pathname
    const name = path === '/' ? '/index.html' : path
    try {
      const body = readFileSync(join(folder, name))
      response.writeHead(200, { 'content-type': types[name.split('.').at(-1)!] ?? 'text/plain' }).end(body)
    } catch {
      response.writeHead(404).end()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

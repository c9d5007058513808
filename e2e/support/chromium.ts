import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/**
 * How to start the Chromium of the system, or the one that came with `npm ci` where there is none. The environment
 * variable BIOPROCESS_SQL_CHROMIUM names another one; `packed` is the one of `npm ci`.
 */
export async function chromiumOptions(): Promise<{ executablePath: string; args: string[] }> {
  const wanted = process.env['BIOPROCESS_SQL_CHROMIUM'] ?? places.find((place) => existsSync(place))
  if (wanted !== undefined && wanted !== 'packed') return { executablePath: wanted, args: ['--no-sandbox'] }
  const { default: packed } = await import('@sparticuz/chromium')
  // meant for a function that serves one page: in a single process the browser goes with its first page
  const args = packed.args.filter((arg) => arg !== '--single-process' && arg !== '--no-zygote')
  return { executablePath: await packed.executablePath(), args }
}

/** Starts that Chromium. */
export const launchChromium = async (): Promise<Browser> => chromium.launch(await chromiumOptions())

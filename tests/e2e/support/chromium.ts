import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/**
 * The options that start the system's Chromium, or the one that `npm ci` installs if the system has none. The environment
 * variable BIOPROCESS_SQL_CHROMIUM names another executable; `packed` is the Chromium of `npm ci`.
 */
export async function chromiumOptions(): Promise<{ executablePath: string; args: string[] }> {
  const wanted = process.env['BIOPROCESS_SQL_CHROMIUM'] ?? places.find((place) => existsSync(place))
  if (wanted !== undefined && wanted !== 'packed') return { executablePath: wanted, args: ['--no-sandbox'] }
  const { default: packed } = await import('@sparticuz/chromium')
  // these two are meant for serverless functions: with one process, the browser ends when its first page closes
  const args = packed.args.filter((arg) => arg !== '--single-process' && arg !== '--no-zygote')
  return { executablePath: await packed.executablePath(), args }
}

/** Starts that Chromium. */
export const launchChromium = async (): Promise<Browser> => chromium.launch(await chromiumOptions())

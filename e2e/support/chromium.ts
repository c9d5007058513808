import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** Starts the Chromium of the system, or the one that came with `npm ci` where there is none. */
export async function launchChromium(): Promise<Browser> {
  const installed = process.env['BIOPROCESS_SQL_CHROMIUM'] ?? places.find((place) => existsSync(place))
  if (installed !== undefined && installed !== 'packed')
    return chromium.launch({ executablePath: installed, args: ['--no-sandbox'] })
  const { default: packed } = await import('@sparticuz/chromium')
  return chromium.launch({ executablePath: await packed.executablePath(), args: packed.args })
}

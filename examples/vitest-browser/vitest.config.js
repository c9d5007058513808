import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'

// the Chromium that `npx playwright install chromium` fetches, or one that is there already
const { CHROMIUM_PATH: executablePath } = process.env
const launchOptions = executablePath ? { executablePath } : {}

export default defineConfig({
  test: {
    // the first statement fetches the database and starts it
    testTimeout: 30_000,
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      provider: playwright({ launchOptions }),
      instances: [{ browser: 'chromium' }],
    },
  },
})

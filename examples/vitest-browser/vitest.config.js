import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'

// default: the Chromium that `npx playwright install chromium` installs
const { CHROMIUM_PATH: executablePath } = process.env
const launchOptions = executablePath ? { executablePath } : {}

export default defineConfig({
  test: {
    // mock.ready() loads and starts the database
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

import { defineConfig } from '@playwright/test'

const executablePath = process.env['CHROMIUM_PATH']

export default defineConfig({
  testDir: 'e2e',
  workers: 2,
  fullyParallel: true,
  use: {
    baseURL: 'http://127.0.0.1:5199',
    launchOptions: { ...(executablePath && { executablePath }), args: ['--no-sandbox'] },
  },
  // one page and one server for all workers; each has a session of its own
  webServer: [
    // Vite refuses a second server of the same mode beside `npm start`
    { command: 'npx vite --mode e2e --host 127.0.0.1 --port 5199', url: 'http://127.0.0.1:5199' },
    {
      command: 'npx bioprocess-sql serve --port 4199 --token secret --scale 0.01',
      url: 'http://127.0.0.1:4199/_mock/ready',
    },
  ],
})

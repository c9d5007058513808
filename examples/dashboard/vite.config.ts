import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  plugins: [react()],
  test: {
    environment: 'jsdom',
    include: ['src/**/*.test.{ts,tsx}'],
    // one engine for all test files
    globalSetup: 'bioprocess-sql-contract/msw/global-setup',
  },
})

import { defineConfig } from 'vitest/config'

// without this file, vitest uses the configuration of a folder above
export default defineConfig({})

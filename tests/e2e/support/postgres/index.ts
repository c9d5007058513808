import { describe } from 'vitest'
import {
  type Installation,
  missingNewest,
  missingPrograms,
  newestInstallation,
  systemInstallation,
} from './programs.ts'

export { TestDatabase, testPlant } from './database.ts'
export { newestInstallation } from './programs.ts'
export { superuser, TestServer, testPassword } from './server.ts'

const missing = missingPrograms()
if (missing !== undefined) console.warn(`Tests over PostgreSQL are skipped: ${missing}`)

/** Tests that need the programs of PostgreSQL. In CI, a skipped test fails the run. */
export const describeWithPostgres = missing === undefined ? describe : describe.skip

const withoutNewest = missingNewest()
if (withoutNewest !== undefined) console.warn(`Tests over PostgreSQL 18 are skipped: ${withoutNewest}`)

/** Tests that need the newest PostgreSQL too. */
export const describeWithNewest = withoutNewest === undefined ? describe : describe.skip

/** Each PostgreSQL of this machine. */
export const installations = (): readonly Installation[] => [
  systemInstallation(),
  ...(withoutNewest === undefined ? [newestInstallation] : []),
]

import { describe } from 'vitest'
import { missingPrograms } from './programs.ts'

export { TestDatabase, testPlant } from './database.ts'
export { superuser, TestServer, testPassword } from './server.ts'

const missing = missingPrograms()
if (missing !== undefined) console.warn(`Tests over PostgreSQL are skipped: ${missing}`)

/** Tests that need the programs of PostgreSQL. In CI, a skipped test fails the run. */
export const describeWithPostgres = missing === undefined ? describe : describe.skip

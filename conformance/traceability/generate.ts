import { writeFileSync } from 'node:fs'
import { coverage } from './coverage.ts'

/** Writes the traceability table; a test fails when it is stale. */
writeFileSync(new URL('../COVERAGE.md', import.meta.url), coverage())

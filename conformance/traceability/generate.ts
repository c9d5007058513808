import { writeFileSync } from 'node:fs'
import { coverage } from './coverage.ts'

/** Writes the coverage table beside this file; a test tells when it is stale. */
writeFileSync(new URL('../COVERAGE.md', import.meta.url), coverage())

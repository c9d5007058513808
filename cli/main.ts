#!/usr/bin/env node
import { EXIT } from './exit.ts'
import { nodeProblem } from './package.ts'

// an older Node fails while it loads the rest
const problem = nodeProblem(process.versions.node)
if (problem === undefined) await import('./start.ts')
else {
  process.stderr.write(`bioprocess-sql: ${problem}\n`)
  process.exitCode = EXIT.usage
}

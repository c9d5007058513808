#!/usr/bin/env node
import { CommanderError } from 'commander'
import { explain, EXIT } from './exit.ts'
import { program } from './program.ts'

// A closed pipe, as in `| head`, is not an error: the work continues and decides the exit code.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })

function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage
  const { sentence, exitCode } = explain(error)
  process.stderr.write(`bioprocess-sql: ${sentence}\n`)
  return exitCode
}

// Node would exit with 1, which is a verdict.
process.on('uncaughtException', (error) => process.exit(report(error)))

try {
  await (await program(process.argv[2])).parseAsync()
} catch (error) {
  process.exitCode = report(error)
}

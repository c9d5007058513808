import { CommanderError } from 'commander'
import { CommandError, explain, EXIT } from './exit.ts'
import { isServer, logLine, logsJson } from './output/log.ts'
import { program } from './program.ts'

// Who reads stderr, or the output of a server, only observes the work. Results that are lost are a failure, but for a closed
// pipe, as in `| head`: the work continues and decides the exit code.
process.stderr.on('error', () => {})
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE' || isServer()) return
  throw new CommandError(
    `Cannot write the output (${code}). Make room, or write it to another place.`,
    EXIT.usage,
  )
})

/** How long the last lines of a server may take, in milliseconds: nobody may read its log. */
const LAST_LINES_MS = 1000

/** Prints an error as it is, or as a line of a log in JSON. */
function writeError(text: string): void {
  process.stderr.write(logsJson() ? `${logLine(text.trim(), 'error')}\n` : text)
}

function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage
  const { sentence, exitCode } = explain(error)
  writeError(`bioprocess-sql: ${sentence}\n`)
  return exitCode
}

// Node would exit with 1, which is a verdict.
process.on('uncaughtException', (error) => process.exit(report(error)))

try {
  await (await program(process.argv[2], writeError)).parseAsync()
} catch (error) {
  process.exitCode = report(error)
}
if (isServer()) setTimeout(() => process.exit(), LAST_LINES_MS).unref()

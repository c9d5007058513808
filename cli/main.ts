#!/usr/bin/env node
import { Command, CommanderError } from 'commander'
import { CommandError, explain, EXIT } from './exit.ts'
import { isServer, logLine, logsJson } from './output/log.ts'
import { version } from './package.ts'

const HELP = `
Environment:
  BIOPROCESS_SQL_BASE_URL  target of conformance and record without --base-url
  BIOPROCESS_SQL_TOKEN     its token without --token and --no-auth

Exit codes:
  conformance  0 conformant, 1 non-conformant, 2 usage error, 3 incomplete,
               4 target unreachable
  compare      0 done, 1 worse (with --gate) or truncated stream, 2 usage error
  exec         exit code of the command
  proxy        0 done, 1 a must is broken (with --judge), 2 usage error
  exec --habits  0 every neutral habit survived, 1 some stopped the command,
               2 usage error or the command fails without any, 3 incomplete
  others       0 done, 1 failed, 2 usage error
  all          4 unexpected error, which is a bug`

/** The commands in the order of the help. Each is loaded by itself, because a start takes longer the more it loads. */
const commands: Readonly<Record<string, () => Promise<() => Command>>> = {
  serve: async () => (await import('./commands/serve.ts')).serveCommand,
  conformance: async () => (await import('./commands/conformance.ts')).conformanceCommand,
  compare: async () => (await import('./commands/compare.ts')).compareCommand,
  matrix: async () => (await import('./commands/matrix.ts')).matrixCommand,
  exec: async () => (await import('./commands/exec.ts')).execCommand,
  record: async () => (await import('./commands/record.ts')).recordCommand,
  proxy: async () => (await import('./commands/proxy.ts')).proxyCommand,
  console: async () => (await import('./commands/console.ts')).consoleCommand,
  contract: async () => (await import('./commands/contract.ts')).contractCommand,
  fixtures: async () => (await import('./commands/fixtures.ts')).fixturesCommand,
  completion: async () => (await import('./commands/completion.ts')).completionCommand,
}

/** The commands to load. The help, completions and an unknown name need all of them. */
const commandsFor = (name = ''): string[] =>
  name !== 'completion' && Object.hasOwn(commands, name) ? [name] : Object.keys(commands)

async function program(): Promise<Command> {
  const root = new Command('bioprocess-sql')
    .description(
      'The contract of the Bioprocess Data SQL Query Service: a reference server and a conformance suite.',
    )
    .version(version)
    .showHelpAfterError('Run with --help to list the options.')
    .addHelpText('after', HELP)
  for (const name of commandsFor(process.argv[2])) root.addCommand((await commands[name]!())())
  for (const command of [root, ...root.commands, ...root.commands.flatMap(({ commands }) => commands)])
    command.exitOverride().configureOutput({ writeErr: writeError })
  return root
}

// Who reads stderr, or the output of a server, only observes the work. Results that are lost are a failure, but for a closed
// pipe, as in `| head`: the work continues and decides the exit code.
process.stderr.on('error', () => {})
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE' || isServer()) return
  throw new CommandError(
    `Cannot write the output (${code}). Make room, or write it to another place.`,
    EXIT.broken,
  )
})

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
  await (await program()).parseAsync()
} catch (error) {
  process.exitCode = report(error)
}

#!/usr/bin/env node
import { Command, CommanderError } from 'commander'
import { compareCommand } from './commands/compare.ts'
import { completionCommand } from './commands/completion.ts'
import { conformanceCommand } from './commands/conformance.ts'
import { consoleCommand } from './commands/console.ts'
import { contractCommand } from './commands/contract.ts'
import { execCommand } from './commands/exec.ts'
import { fixturesCommand } from './commands/fixtures.ts'
import { matrixCommand } from './commands/matrix.ts'
import { proxyCommand } from './commands/proxy.ts'
import { recordCommand } from './commands/record.ts'
import { serveCommand } from './commands/serve.ts'
import { explain, EXIT } from './exit.ts'
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

function program(): Command {
  const root = new Command('bioprocess-sql')
    .description(
      'The contract of the Bioprocess Data SQL Query Service: a reference server and a conformance suite.',
    )
    .version(version)
    .showHelpAfterError('Run with --help to list the options.')
    .addHelpText('after', HELP)
  for (const command of [
    serveCommand,
    conformanceCommand,
    compareCommand,
    matrixCommand,
    execCommand,
    recordCommand,
    proxyCommand,
    consoleCommand,
    contractCommand,
    fixturesCommand,
    completionCommand,
  ])
    root.addCommand(command())
  for (const command of [root, ...root.commands, ...root.commands.flatMap(({ commands }) => commands)])
    command.exitOverride()
  return root
}

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
  await program().parseAsync()
} catch (error) {
  process.exitCode = report(error)
}

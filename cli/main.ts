#!/usr/bin/env node
import { Command, CommanderError } from 'commander'
import { compareCommand } from './commands/compare.ts'
import { conformanceCommand } from './commands/conformance.ts'
import { contractCommand } from './commands/contract.ts'
import { execCommand } from './commands/exec.ts'
import { fixturesCommand } from './commands/fixtures.ts'
import { serveCommand } from './commands/serve.ts'
import { explain, EXIT } from './exit.ts'
import { version } from './package.ts'

const HELP = `
Environment:
  BIOPROCESS_SQL_BASE_URL  target of conformance without --base-url
  BIOPROCESS_SQL_TOKEN     its token without --token and --no-auth

Exit codes:
  conformance  0 conformant, 1 non-conformant, 2 usage error, 3 incomplete,
               4 target unreachable or internal error
  compare      0 done, 1 worse (with --gate) or truncated stream, 2 usage error
  exec         exit code of the command
  others       0 done, 1 failed, 2 usage error`

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
    execCommand,
    contractCommand,
    fixturesCommand,
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

try {
  await program().parseAsync()
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? EXIT.done : EXIT.usage
  } else {
    const { sentence, exitCode } = explain(error)
    process.stderr.write(`bioprocess-sql: ${sentence}\n`)
    process.exitCode = exitCode
  }
}

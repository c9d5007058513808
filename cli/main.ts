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
  BIOPROCESS_SQL_BASE_URL   the target of conformance, where --base-url is not given
  BIOPROCESS_SQL_TOKEN      its token, where neither --token nor --no-auth is given

Exit codes:
  conformance   0 conformant, 1 non-conformant, 2 usage, 3 incomplete, 4 unreachable or the suite broke
  compare       0 done, 1 worse (--gate) or a cut stream, 2 usage
  exec          that of the command it ran
  others        0 done, 1 failed, 2 usage`

function program(): Command {
  const root = new Command('bioprocess-sql')
    .description(
      'The Bioprocess Data SQL Query Service contract: a server that answers it, a suite that judges it.',
    )
    .version(version)
    .showHelpAfterError('Run with --help to see every option.')
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

// A reader that has seen enough, as in `| head`, is no error: the work goes on, and the exit code is that of the work.
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

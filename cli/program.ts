import { Command, type CommandUnknownOpts } from 'commander'
import { versionText } from '../conformance/reports/version-text.ts'
import { checkEmpty } from './options/check-empty.ts'
import { checkMissing } from './options/check-missing.ts'
import { checkFiles } from './files/check-files.ts'
import { commit, version } from './package.ts'

const HELP = `
Environment:
  BIOPROCESS_SQL_BASE_URL  target of conformance and record without --base-url
  BIOPROCESS_SQL_TOKEN     its token without --token and --no-auth

Exit codes:
  conformance  0 conformant, 1 non-conformant, 2 usage error, 3 incomplete,
               4 target unreachable
  compare      0 done, 1 worse (with --gate) or truncated stream, 2 usage error
  can-deploy   0 yes, 1 no, 2 usage error
  exec         exit code of the command; 127 or 126 if it cannot start
  record       0 done, 1 failed, 2 usage error, 3 the budget is spent (the same
               command continues), no view was read whole, or all rows of a
               view are left out
  traffic      0 done, 1 a must is broken, 2 usage error, 3 no answer was judged,
               or an exchange in part or not at all
  exec --habits  0 every neutral habit survived, 1 some stopped the command,
               2 usage error or the command fails without any, 3 incomplete
  fixtures verify  0 valid, 1 a file or a row is wrong, 2 usage error,
               3 the rows of SQL files cannot be checked
  others       0 done, 1 failed, 2 usage error
  all          2 output cannot be written, 4 unexpected error, which is a bug`

/** The commands in the order of the help. Each is loaded by itself, because a start takes longer the more it loads. */
const commands: Readonly<Record<string, () => Promise<() => CommandUnknownOpts>>> = {
  serve: async () => (await import('./commands/serve.ts')).serveCommand,
  conformance: async () => (await import('./commands/conformance.ts')).conformanceCommand,
  compare: async () => (await import('./commands/compare.ts')).compareCommand,
  'can-deploy': async () => (await import('./commands/can-deploy.ts')).canDeployCommand,
  matrix: async () => (await import('./commands/matrix.ts')).matrixCommand,
  exec: async () => (await import('./commands/exec.ts')).execCommand,
  record: async () => (await import('./commands/record.ts')).recordCommand,
  traffic: async () => (await import('./commands/traffic/index.ts')).trafficCommand,
  mcp: async () => (await import('./commands/mcp/index.ts')).mcpCommand,
  console: async () => (await import('./commands/console.ts')).consoleCommand,
  contract: async () => (await import('./commands/contract.ts')).contractCommand,
  fixtures: async () => (await import('./commands/fixtures/index.ts')).fixturesCommand,
  completion: async () => (await import('./commands/completion.ts')).completionCommand,
}

/** The commands to load. The help, completions and an unknown name need all of them. */
const commandsFor = (name = ''): string[] =>
  name !== 'completion' && Object.hasOwn(commands, name) ? [name] : Object.keys(commands)

/**
 * The command line with the command `name`, or with all of them.
 *
 * @param writeErr writes usage errors. Default: to stderr
 */
export async function program(
  name?: string,
  writeErr: (text: string) => void = (text) => void process.stderr.write(text),
): Promise<CommandUnknownOpts> {
  const root = new Command('bioprocess-sql')
    .description(
      'The contract of the Bioprocess Data SQL Query Service: a reference server and a conformance suite.',
    )
    .version(versionText({ version, commit }))
    .showHelpAfterError('Run with --help to list the options.')
    .addHelpText('after', HELP)
  for (const command of commandsFor(name)) root.addCommand((await commands[command]!())())
  for (const command of [root, ...root.commands, ...root.commands.flatMap(({ commands }) => commands)]) {
    checkMissing(command, root)
    command
      .exitOverride()
      .configureOutput({ writeErr })
      .hook('preAction', (_, action) => {
        checkEmpty(action)
        checkFiles(action)
      })
  }
  return root
}

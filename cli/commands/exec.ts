import { Command } from 'commander'
import { CommandError, EXIT } from '../exit.ts'
import { faultHelp } from '../server/fault-help.ts'
import { onInterruption } from '../interruption.ts'
import { withOptions } from '../options/command-options.ts'
import { withConfig } from '../options/config.ts'
import { exitCodeOf, startCommand } from '../habits/command.ts'
import { checkHabitOptions, habitOptions } from '../habits/habit-options.ts'
import { type ServerFlags, serverOptions } from '../server/server-options.ts'
import { start } from '../server/start-server.ts'

const EXAMPLES = `
Examples:
  $ bioprocess-sql exec -- npm test
      the tests read BIOPROCESS_SQL_BASE_URL and BIOPROCESS_SQL_TOKEN
  $ bioprocess-sql exec --habits -- npm test
      which ways of services would break this client? One run for each
  $ bioprocess-sql exec --habits --only "rows.*" --report html=matrix.html -- npm test`

export const execCommand = () =>
  withConfig(
    withOptions(
      withOptions(
        new Command('exec').description('Start a server, run a command, stop the server.'),
        serverOptions('127.0.0.1:0'),
      ),
      habitOptions(),
    ).addHelpText('after', faultHelp),
  )
    .argument('[command...]', 'the command and its arguments, after --')
    .addHelpText('after', EXAMPLES)
    .action(async (words, options, command) => {
      checkHabitOptions(command, options.habits !== undefined)
      if (options.habits === undefined) return execute(words, options)
      // imported here so that other commands start without it
      const { runHabitMatrix, listHabits } = await import('../habits/run-habits.ts')
      return options.list ? listHabits() : runHabitMatrix(words, options)
    })

async function execute([command, ...args]: readonly string[], options: ServerFlags): Promise<void> {
  // an unset variable in place of the command is an empty text
  if (!command) throw new CommandError('Give the command after --, such as: exec -- npm test.', EXIT.usage)
  const server = await start(options)
  try {
    process.exitCode = await run(command, args, {
      BIOPROCESS_SQL_BASE_URL: server.baseUrl,
      BIOPROCESS_SQL_TOKEN: server.token,
    })
  } finally {
    await server.close()
  }
}

/** Runs a command and resolves with its exit code. Forwards signals, so that the command can stop by itself. */
function run(command: string, args: string[], environment: Record<string, string>): Promise<number> {
  const child = startCommand(command, args, { stdio: 'inherit', env: { ...process.env, ...environment } })
  // a console of Windows tells each of its processes
  const forward = (signal: NodeJS.Signals) => void (process.platform === 'win32' || child.kill(signal))
  const stopForwarding = onInterruption(forward, 'on')
  // as a shell ends
  return exitCodeOf(child, command, (code) => (code === 'ENOENT' ? 127 : 126)).finally(stopForwarding)
}

import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { Command } from 'commander'
import { withConfig } from '../config.ts'
import { CommandError } from '../exit.ts'
import { start, withServerOptions, type ServeFlags } from './serve.ts'

const EXAMPLES = `
Example:
  $ bioprocess-sql exec -- npm test
      the tests find the server in BIOPROCESS_SQL_BASE_URL and BIOPROCESS_SQL_TOKEN`

export const execCommand = (): Command =>
  withConfig(
    withServerOptions(
      new Command('exec').description('Run a command beside a server of its own, and pass its exit code on.'),
      '127.0.0.1:0',
    ),
  )
    .argument('<command...>', 'what to run, after --')
    .addHelpText('after', EXAMPLES)
    .action(async ([command, ...args]: [string, ...string[]], flags: ServeFlags) => {
      const server = await start(flags)
      try {
        process.exitCode = await run(command, args, {
          BIOPROCESS_SQL_BASE_URL: server.baseUrl,
          BIOPROCESS_SQL_TOKEN: server.token,
        })
      } finally {
        await server.close()
      }
    })

/** Runs a command to its end. Signals to us are passed on, so that the child can end in its own way. */
function run(command: string, args: string[], environment: Record<string, string>): Promise<number> {
  const child = spawn(command, args, { stdio: 'inherit', env: { ...process.env, ...environment } })
  const forward = (signal: NodeJS.Signals) => child.kill(signal)
  process.on('SIGINT', forward).on('SIGTERM', forward)
  return new Promise<number>((resolve, reject) => {
    child.once('error', ({ code }: NodeJS.ErrnoException) =>
      reject(
        new CommandError(
          `The command "${command}" can not be started (${code}). Check its name and that it can be executed.`,
        ),
      ),
    )
    child.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal!]))
  }).finally(() => process.off('SIGINT', forward).off('SIGTERM', forward))
}

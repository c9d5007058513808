import type { EventEmitter } from 'node:events'
import type { CommandUnknownOpts } from 'commander'
import { CommandError, EXIT } from '../exit.ts'

/** What an option looks like: `--strict`, `-h`. A hyphen, a negative number and a token such as `-abc` are values. */
const OPTION = /^(--|-[a-z]$)/i

/**
 * Refuses an option that takes the next one for its value, as in `--token --strict`: an unquoted variable behind it is empty.
 *
 * @param root the command that parses the command line, in which `--token=--strict` names a value
 */
export function checkMissing(command: CommandUnknownOpts, root: CommandUnknownOpts): void {
  // neither has a type in commander
  const events = command as unknown as EventEmitter
  const line = root as unknown as { rawArgs: readonly string[] }
  for (const option of command.options.filter(({ required }) => required)) {
    const { long } = option
    events.prependListener(`option:${option.name()}`, (value: string) => {
      if (!OPTION.test(value) || line.rawArgs.includes(`${long}=${value}`)) return
      throw new CommandError(
        `${long} has no value: another option follows it. Set the variable that the value comes from, and put it in quotes; a value that begins with hyphens is written as ${long}=VALUE.`,
        EXIT.usage,
      )
    })
  }
}

import type { CommandUnknownOpts } from 'commander'
import { CommandError, EXIT } from '../exit.ts'

/**
 * Refuses options without a text, such as `--ready-file ""`: the variable that their value comes from is not set.
 *
 * @throws CommandError that names the option
 */
export function checkEmpty(command: CommandUnknownOpts): void {
  const empty = command.options.find((option) =>
    [command.getOptionValue(option.attributeName())].flat().some(isEmpty),
  )
  if (!empty) return
  throw new CommandError(
    `${empty.long} is empty. Set the variable that the option, the environment or the config file takes its value from, or leave it out.`,
    EXIT.usage,
  )
}

const isEmpty = (value: unknown): boolean => typeof value === 'string' && value.trim() === ''

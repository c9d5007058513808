import type { Command, CommandUnknownOpts, Option, OptionValues } from 'commander'

/** The options that a command or a group of options declares. */
export type OptionsOf<Make extends (...args: never[]) => CommandUnknownOpts> = ReturnType<
  ReturnType<Make>['opts']
>

/**
 * Adds the options of a group, which is a command without a name. Groups are no generic functions of a command, because the declared
 * type of such a function grows threefold with each option.
 */
export function withOptions<Options extends OptionValues, Added extends OptionValues>(
  command: Command<[], Options>,
  group: Command<[], Added>,
): Command<[], Options & Added> {
  for (const option of group.options) command.addOption(option)
  return command as never
}

/** The names of the options of a command, as a config file has them. */
export const namesOf = ({ options }: CommandUnknownOpts): string[] =>
  options.map((option) => option.attributeName())

/** Whether a flag, the environment or a config file sets an option. */
export const isGiven = (command: CommandUnknownOpts, name: string): boolean =>
  !['default', undefined].includes(command.getOptionValueSource(name))

/** The options that a flag, the environment or a config file sets. */
export const givenOptions = (command: CommandUnknownOpts): Option[] =>
  command.options.filter((option) => isGiven(command, option.attributeName()))

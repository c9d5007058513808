import { Command, type CommandUnknownOpts } from 'commander'
import { CommandError, EXIT } from '../exit.ts'
import { authOptions } from '../server/auth-options.ts'
import { givenOptions, namesOf, type OptionsOf } from '../options/command-options.ts'
import { count, duration, inputFile, names } from '../options/parse.ts'
import { reportFiles } from '../options/report.ts'

const FORMATS = ['json', 'junit', 'markdown', 'html'] as const

/** The options of `exec --habits`. */
export const habitOptions = () =>
  new Command()
    .option('--habits', 'run the command once without and then once with each habit that services may have')
    .option(
      '--only <id>',
      'with --habits: only this habit or open point; prefix* as well; repeatable, or a,b',
      names,
    )
    .option('--skip <id>', 'with --habits: leave out this habit or open point; repeatable, or a,b', names)
    .option('--concurrency <n>', 'with --habits: runs at once (default: number of cores)', count)
    .option(
      '--timeout <duration>',
      'with --habits: longest run (default: derived from the first one)',
      duration,
    )
    .option('--baseline <file>', 'with --habits: accept the habits in this file', inputFile)
    .option(
      '--report <format=file>',
      `with --habits: write a report: ${FORMATS.join(', ')}; the file - is stdout; repeatable`,
      reportFiles(FORMATS),
    )
    .option('--list', 'with --habits: list the habits and exit')

export type HabitFlags = OptionsOf<typeof habitOptions>

/** @throws CommandError for options that do not go together */
export function checkHabitOptions(command: CommandUnknownOpts, isHabits: boolean): void {
  const wrong = isHabits
    ? // the servers of --habits do not have the options of a single one
      ['listen', 'port', 'basePath', 'databaseClock', ...namesOf(authOptions())]
    : namesOf(habitOptions()).filter((name) => name !== 'habits')
  // variables such as BIOPROCESS_SQL_BASELINE may be meant for `conformance`
  const mayBeMeant = (name: string) => isHabits || command.getOptionValueSource(name) !== 'env'
  const given = givenOptions(command).find(
    (option) => wrong.includes(option.attributeName()) && mayBeMeant(option.attributeName()),
  )
  if (given)
    throw new CommandError(
      isHabits
        ? `${given.long} is for one server; --habits starts many, each with a port and a token of its own. Leave it out.`
        : `${given.long} needs --habits. Add it, or leave ${given.long} out.`,
      EXIT.usage,
    )
}

import { type Command, InvalidArgumentError } from 'commander'
import { CommandError, EXIT } from '../exit.ts'
import { count, duration, repeatable } from './parse.ts'
import { type ReportFile, reportFiles } from './report.ts'

const FORMATS = ['json', 'junit', 'markdown', 'html', 'svg'] as const

/** The options of `exec --habits`; durations are in milliseconds. */
export interface HabitFlags {
  habits?: 'each' | 'pairwise'
  only?: string[]
  skip?: string[]
  concurrency?: number
  timeout?: number
  report?: ReportFile<(typeof FORMATS)[number]>[]
  baseline?: string
  list?: boolean
}

export const withHabitOptions = (command: Command): Command =>
  command
    .option(
      '--habits [pairwise]',
      'run the command once without and then once with each habit that services may have; pairwise combines neutral ones',
      mode,
    )
    .option(
      '--only <id>',
      'with --habits: only this habit or open point; prefix* as well; repeatable',
      repeatable,
    )
    .option('--skip <id>', 'with --habits: leave out this habit or open point; repeatable', repeatable)
    .option('--concurrency <n>', 'with --habits: runs at once (default: number of cores)', count)
    .option(
      '--timeout <duration>',
      'with --habits: longest run (default: derived from the first one)',
      duration,
    )
    .option('--baseline <file>', 'with --habits: accept the habits in this file')
    .option(
      '--report <format=file>',
      `with --habits: write a report: ${FORMATS.join(', ')}; the file - is stdout; repeatable`,
      reportFiles(FORMATS),
    )
    .option('--list', 'with --habits: list the habits and exit')

/** `--habits` without a value has no preset, so that a config file can set it too. */
function mode(text: string): 'pairwise' {
  if (text === 'pairwise') return text
  throw new InvalidArgumentError('Write --habits or --habits pairwise, and -- before the command.')
}

const OF_HABITS = ['only', 'skip', 'concurrency', 'timeout', 'baseline', 'report', 'list']

/** Options of a single server, which the servers of `--habits` do not have. */
const OF_ONE_SERVER = [
  'listen',
  'port',
  'basePath',
  'token',
  'jwksUrl',
  'issuer',
  'audience',
  'clockSkew',
  'client',
  'tokenLifetime',
]

/** @throws CommandError for options that do not go together */
export function checkHabitOptions(command: Command, isHabits: boolean): void {
  const wrong = isHabits ? OF_ONE_SERVER : OF_HABITS
  // variables such as BIOPROCESS_SQL_BASELINE may be meant for `conformance`
  const passedOver = isHabits ? ['default', undefined] : ['default', 'env', undefined]
  const given = command.options.find(
    (option) =>
      wrong.includes(option.attributeName()) &&
      !passedOver.includes(command.getOptionValueSource(option.attributeName())),
  )
  if (given)
    throw new CommandError(
      isHabits
        ? `${given.long} is for one server; --habits starts many, each with a port and a token of its own. Leave it out.`
        : `${given.long} needs --habits. Add it, or leave ${given.long} out.`,
      EXIT.usage,
    )
}

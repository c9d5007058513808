import {
  type Command,
  type CommandUnknownOpts,
  InvalidArgumentError,
  type Option,
  type OptionValues,
} from 'commander'
import { parseJson } from '../../base/text/explain-json.ts'
import { closeIds } from '../../conformance/baseline/close-ids.ts'
import { CommandError, EXIT } from '../exit.ts'
import { readInput } from '../files/input-file.ts'
import { expandVariables } from './expand-variables.ts'
import { givenOptions, isGiven } from './command-options.ts'
import { kindOf } from './kind.ts'
import { inputFile } from './parse.ts'

/** Options that a config file cannot set. The file has an object of `variants` in place of `variant`. */
const notInFiles = ['config', 'variant', 'list', 'explain']

/** The options that a config file can set. */
export const optionsOfFiles = (command: CommandUnknownOpts): Option[] =>
  command.options.filter((option) => !option.hidden && !notInFiles.includes(option.attributeName()))

/** Whether a config file can have an object of `variants`. */
export const hasVariants = (command: CommandUnknownOpts): boolean =>
  command.options.some((option) => option.attributeName() === 'variant')

/**
 * Options without an environment variable. BIOPROCESS_SQL_TOKEN holds the token of a real service, which this server
 * must not accept.
 */
const notInEnvironment = ['token', 'variant', 'list', 'explain']

const HELP = `
Each option can also be set by an environment variable (BIOPROCESS_SQL_SCALE for
--scale; not --token) or by a JSON file that --config names ("timeLimit" for
--time-limit), in which \${NAME} is the variable NAME. Variants come from
BIOPROCESS_SQL_VARIANTS="id=variant,..." or from an object "variants" in the
file. Precedence, highest first: option, environment, file, profile, default.`

/**
 * Lets the environment and the file of `--config` set the options of a command. Precedence, highest first: flag,
 * environment, file, default.
 *
 * @param help says so in the help of the command
 */
export const withConfig = <Options extends OptionValues>(command: Command<[], Options>, help = HELP) =>
  command
    .option('--config <file>', 'read options from this JSON file, such as {"timeLimit": "5s"}', inputFile)
    .addHelpText('after', help)
    .hook('preAction', (_, action) => complete(action))

/**
 * The options of a command that has been parsed, with the environment and the file of `--config` as they are now.
 *
 * @param fresh the same command, not yet parsed
 * @throws CommandError as the command does
 */
export function optionsAgain<Options extends OptionValues>(
  parsed: CommandUnknownOpts,
  fresh: Command<[], Options>,
): Options {
  for (const key of Object.keys(parsed.opts()))
    if (parsed.getOptionValueSource(key) === 'cli')
      fresh.setOptionValueWithSource(key, parsed.getOptionValue(key), 'cli')
  complete(fresh)
  return fresh.opts()
}

function complete(command: CommandUnknownOpts): void {
  applyEnvironment(command)
  applyConfig(command)
  rejectConflicts(command)
}

/** The environment variable of an option; undefined if it has none. */
export const variableOf = (option: Option): string | undefined =>
  notInEnvironment.includes(option.attributeName())
    ? undefined
    : `BIOPROCESS_SQL_${option.long!.slice(2).replaceAll('-', '_').toUpperCase()}`

function applyEnvironment(command: CommandUnknownOpts): void {
  for (const option of command.options) {
    const key = option.attributeName()
    const variable = variableOf(option)
    const text = variable && process.env[variable]
    if (!variable || text === undefined || isGiven(command, key)) continue
    const flag = option.isBoolean() || option.negate ? (booleans.get(text) ?? text) : text
    // BIOPROCESS_SQL_NO_AUTH=true is --no-auth
    const value = option.negate && typeof flag === 'boolean' ? !flag : flag
    const parsed = parse(option, value, variable)
    if (parsed !== undefined) command.setOptionValueWithSource(key, parsed, 'env')
  }
}

const booleans: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
  ['', false],
])

/** @throws CommandError for an unreadable file, an unknown option or a wrong value */
function applyConfig(command: CommandUnknownOpts): void {
  const file = command.getOptionValue('config') as string | undefined
  if (file === undefined) return
  // editors read `$schema`
  const { $schema: _, ...settings } = expandVariables(readJsonObject(file, 'config file'), file)
  const options = new Map(optionsOfFiles(command).map((option) => [option.attributeName(), option]))
  const known = [...options.keys(), ...(hasVariants(command) ? ['variants'] : [])]
  const unknown = Object.keys(settings).filter((key) => !known.includes(key))
  if (unknown.length > 0)
    throw new CommandError(
      `${file}: unknown option ${unknown.map((key) => named(key, known)).join(', ')}. The options are ${known.join(', ')}.`,
      EXIT.usage,
    )
  for (const [key, value] of Object.entries(settings)) {
    if (isGiven(command, key)) continue
    const option = options.get(key)
    const parsed = option ? parse(option, value, `${file}: ${key}`) : variantsIn(value, file)
    if (parsed !== undefined) command.setOptionValueWithSource(key, parsed, 'config')
  }
}

/**
 * Reads a file that holds one JSON object.
 *
 * @param what the noun for the error message, such as "config file"
 * @param size see readInput
 * @throws CommandError if the file cannot be read, or with the place of what is not JSON
 */
export function readJsonObject(
  file: string,
  what: string,
  size?: Parameters<typeof readInput>[3],
): Record<string, unknown> {
  const wrong = (problem: string) =>
    new CommandError(`The ${what} ${file} is not a JSON object${problem}. Correct its syntax.`, EXIT.usage)
  const text = readInput(what, file, undefined, size)
  let value: unknown
  try {
    value = parseJson(text)
  } catch (error) {
    throw wrong(`: ${(error as Error).message}`)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong('')
  return value as Record<string, unknown>
}

function named(key: string, known: readonly string[]): string {
  const [close] = closeIds(key, known)
  return close === undefined ? `"${key}"` : `"${key}" (did you mean "${close}"?)`
}

/** Parses a value as the flag would; returns undefined for a flag that is off. */
function parse(option: Option, value: unknown, where: string): unknown {
  const kind = kindOf(option)
  const wrong = (remedy: string) =>
    new CommandError(
      `${where} ${kind.isSecret ? 'cannot be used' : `is ${JSON.stringify(value)}`}. ${remedy}`,
      EXIT.usage,
    )
  if (option.isBoolean() || option.negate) {
    if (typeof value !== 'boolean') throw wrong('Write true or false.')
    return value === option.negate ? undefined : value
  }
  if (option.optional && typeof value === 'boolean') {
    return value ? (option.parseArg?.(String(option.presetArg), undefined) ?? option.presetArg) : undefined
  }
  const texts: unknown[] = kind.isRepeatable ? listed(value, kind) : [value]
  if (!texts.every((text) => typeof text === 'string' || typeof text === 'number'))
    throw wrong(kind.isRepeatable ? 'Write a string or a list of strings.' : 'Write a string or a number.')
  try {
    return texts.reduce<unknown>(
      (before, text) => (option.parseArg ? option.parseArg(String(text), before) : String(text)),
      undefined,
    )
  } catch (error) {
    throw error instanceof InvalidArgumentError ? wrong(error.message) : error
  }
}

/** The values of a repeatable option: a list, a single value, or an object of names and values. */
function listed(value: unknown, { separator }: { separator?: string }): unknown[] {
  if (Array.isArray(value)) return value
  if (separator === undefined || typeof value !== 'object' || value === null) return [value]
  return Object.entries(value).map(([name, text]) =>
    typeof text === 'string' ? name + separator + text : undefined,
  )
}

function variantsIn(value: unknown, file: string): Record<string, string> {
  const isMap = typeof value === 'object' && value !== null && !Array.isArray(value)
  if (isMap && Object.values(value).every((variant) => typeof variant === 'string'))
    return value as Record<string, string>
  throw new CommandError(
    `${file}: "variants" must be an object of strings, such as {"rows.shape": "array"}.`,
    EXIT.usage,
  )
}

/** commander checks conflicts only between flags, not with the environment or the file. */
function rejectConflicts(command: CommandUnknownOpts): void {
  const given = givenOptions(command)
  for (const option of given) {
    const { conflictsWith } = option as unknown as { conflictsWith: readonly string[] }
    const other = given.find((one) => conflictsWith.includes(one.attributeName()))
    if (other)
      throw new CommandError(
        `${option.long} and ${other.long} exclude each other; the environment or the config file sets one of them. Leave one out.`,
        EXIT.usage,
      )
  }
}

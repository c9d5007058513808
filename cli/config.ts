import { readFileSync } from 'node:fs'
import { type Command, InvalidArgumentError, type Option } from 'commander'
import { closeIds } from '../conformance/baseline/close-ids.ts'
import { CommandError, EXIT } from './exit.ts'
import { repeatable } from './parse.ts'

/** Options that a file can not set: it is one of them, and variants stand there as an object. */
const notInFiles = ['config', 'variant']

/** Options that take no environment variable: tokens of services are kept there, and this server prints its own. */
const notInEnvironment = ['token', 'variant', 'database']

/**
 * Lets every option be given by an environment variable as well, `BIOPROCESS_SQL_TIME_LIMIT` for `--time-limit`,
 * and by the JSON file that `--config` names, `timeLimit`. A flag is stronger than a variable, a variable than the
 * file, the file than the default.
 */
export function withConfig(command: Command): Command {
  command.option('--config <file>', 'JSON with these options, as {"timeLimit": "5s", "variants": {...}}')
  for (const option of command.options)
    if (option.long && !notInEnvironment.includes(option.attributeName()))
      option.env(`BIOPROCESS_SQL_${option.long.slice(2).replaceAll('-', '_').toUpperCase()}`)
  return command.hook('preAction', (_, action) => {
    applyEnvironment(action)
    applyConfig(action)
    refuseConflicts(action)
  })
}

const isOpen = (command: Command, key: string): boolean =>
  ['default', undefined].includes(command.getOptionValueSource(key))

/** commander listens to variables that an option has when it joins its command, and to no later ones. */
function applyEnvironment(command: Command): void {
  for (const option of command.options) {
    const [key, variable] = [option.attributeName(), option.envVar ?? '']
    const text = process.env[variable]
    if (text === undefined || !isOpen(command, key)) continue
    const value = option.isBoolean() ? (booleans[text] ?? text) : text
    const parsed = parse(option, value, variable)
    if (parsed !== undefined) command.setOptionValueWithSource(key, parsed, 'env')
  }
}

const booleans: Readonly<Record<string, boolean>> = {
  true: true,
  '1': true,
  false: false,
  '0': false,
  '': false,
}

/** @throws CommandError for a file that can not be read, a key that is no option, a value that is none of it */
function applyConfig(command: Command): void {
  const { config: file } = command.opts<{ config?: string }>()
  if (file === undefined) return
  // `$schema` is for editors
  const { $schema: _, ...settings } = readJsonObject(file, 'config file')
  const options = new Map(
    command.options
      .filter((option) => !option.hidden && !notInFiles.includes(option.attributeName()))
      .map((option) => [option.attributeName(), option]),
  )
  const known = [...options.keys(), 'variants']
  const unknown = Object.keys(settings).filter((key) => !known.includes(key))
  if (unknown.length > 0)
    throw new CommandError(unknown.map((key) => strange(file, key, known)).join(' '), EXIT.usage)
  for (const [key, value] of Object.entries(settings)) {
    if (!isOpen(command, key)) continue
    const option = options.get(key)
    const parsed = option ? parse(option, value, `${file}: ${key}`) : variantsIn(value, file)
    if (parsed !== undefined) command.setOptionValueWithSource(key, parsed, 'config')
  }
}

/**
 * The object in a JSON file.
 *
 * @throws CommandError when the file can not be read or holds none
 */
export function readJsonObject(file: string, what: string): Record<string, unknown> {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new CommandError(`The ${what} ${file} can not be read (${code}). Check its path.`, EXIT.usage)
  }
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>
  } catch {
    // told below
  }
  throw new CommandError(`The ${what} ${file} is not a JSON object. Mend it, or leave it out.`, EXIT.usage)
}

function strange(file: string, key: string, known: readonly string[]): string {
  const [close] = closeIds(key, known)
  const hint = close === undefined ? `The options are: ${known.join(', ')}.` : `Did you mean "${close}"?`
  return `${file}: there is no option "${key}". ${hint}`
}

/** The value as the flag would have given it; undefined for a flag that is switched off. */
function parse(option: Option, value: unknown, where: string): unknown {
  const wrong = (remedy: string) =>
    new CommandError(`${where} is ${JSON.stringify(value)}. ${remedy}`, EXIT.usage)
  if (option.isBoolean()) {
    if (typeof value !== 'boolean') throw wrong('Write true or false.')
    return value || undefined
  }
  const isRepeatable = option.parseArg === (repeatable as unknown)
  if (option.optional && typeof value === 'boolean') {
    return value ? (option.parseArg?.(String(option.presetArg), undefined) ?? option.presetArg) : undefined
  }
  const texts = isRepeatable && Array.isArray(value) ? value : [value]
  if (!texts.every((text) => typeof text === 'string' || typeof text === 'number'))
    throw wrong(isRepeatable ? 'Write a text, or a list of texts.' : 'Write a text or a number.')
  try {
    return texts.reduce<unknown>(
      (before, text) => (option.parseArg ? option.parseArg(String(text), before) : String(text)),
      undefined,
    )
  } catch (error) {
    throw error instanceof InvalidArgumentError ? wrong(error.message) : error
  }
}

function variantsIn(value: unknown, file: string): Record<string, string> {
  const isMap = typeof value === 'object' && value !== null && !Array.isArray(value)
  if (isMap && Object.values(value).every((slug) => typeof slug === 'string'))
    return value as Record<string, string>
  throw new CommandError(
    `${file}: variants has to be an object with a slug for each knob, such as {"rows.shape": "array"}.`,
    EXIT.usage,
  )
}

/** What commander has checked of the command line alone. */
function refuseConflicts(command: Command): void {
  const given = command.options.filter(
    (option) =>
      command.getOptionValue(option.attributeName()) !== undefined &&
      command.getOptionValueSource(option.attributeName()) !== 'default',
  )
  for (const option of given) {
    const { conflictsWith } = option as unknown as { conflictsWith: readonly string[] }
    const other = given.find((one) => conflictsWith.includes(one.attributeName()))
    if (other)
      throw new CommandError(
        `${option.long} can not be used with ${other.long}, and the environment or the config file has one of them. Leave one out.`,
        EXIT.usage,
      )
  }
}

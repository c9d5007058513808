import { readdirSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { CommandUnknownOpts } from 'commander'
import { CommandError, EXIT } from '../exit.ts'
import { type Kind, kindOf } from '../options/kind.ts'
import type { ReportFile } from '../options/report.ts'

/** A file and what names it. */
interface Named {
  readonly by: string
  readonly file: string
}

/**
 * Refuses an output that is also an input or another output of the command, however its path is spelled. Only --write-baseline may
 * write what --baseline reads.
 *
 * @throws CommandError that names both
 */
export function checkFiles(command: CommandUnknownOpts): void {
  const inputs = inputsOf(command).map((input) => ({ ...input, key: identity(input.file) }))
  const outputs = new Map<string, Named>()
  for (const output of named(command, 'written')) {
    const { by, file } = output
    const key = identity(file)
    if (key === undefined) continue
    const input = inputs.find((one) => one.key === key)
    const isNextBaseline = by === '--write-baseline' && input?.by === '--baseline'
    if (input && !isNextBaseline) throw refusal(`${by} would overwrite ${file}, which ${input.by} reads.`)
    const other = outputs.get(key)
    if (other) throw refusal(`${file === '-' ? 'Stdout' : file} can hold only one of ${other.by} and ${by}.`)
    outputs.set(key, output)
  }
}

const refusal = (problem: string) => new CommandError(`${problem} Name another file.`, EXIT.usage)

function inputsOf(command: CommandUnknownOpts): Named[] {
  const variable = 'BIOPROCESS_SQL_TOKEN'
  const tokens = [...named(command, '@'), { by: variable, file: process.env[variable] ?? '' }]
  // the arguments of exec are another command
  const args = command.name() === 'exec' ? [] : command.args
  return [
    ...named(command, 'read'),
    ...tokens.filter(({ file }) => file.startsWith('@')).map(({ by, file }) => ({ by, file: file.slice(1) })),
    ...args.flatMap((file) => [file, ...claimsIn(file)]).map((file) => ({ by: command.name(), file })),
  ]
}

/** The values of options that are a text, several, or reports. */
function named(command: CommandUnknownOpts, file: Kind['file']): Named[] {
  return command.options
    .filter((option) => kindOf(option).file === file)
    .flatMap((option) => {
      const values: unknown[] = [command.getOptionValue(option.attributeName())].flat()
      return values.flatMap((value) => {
        if (typeof value === 'string') return [{ by: option.long!, file: value }]
        const { format, file } = (value ?? {}) as Partial<ReportFile<string>>
        return file === undefined ? [] : [{ by: `${option.long} ${format}`, file }]
      })
    })
}

/** The files that `matrix` reads in a folder. */
function claimsIn(folder: string): string[] {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return []
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => join(folder, name))
}

/** Equal for two paths of one file; undefined for a device and a pipe, which keep nothing. */
function identity(file: string): string | undefined {
  if (file === '-') return file
  const stats = statSync(file, { throwIfNoEntry: false, bigint: true })
  if (stats) return stats.isFile() || stats.isDirectory() ? `${stats.dev}:${stats.ino}` : undefined
  try {
    return join(realpathSync(dirname(file)), basename(file))
  } catch {
    return resolve(file)
  }
}

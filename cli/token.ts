import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { CommandError, EXIT } from './exit.ts'

export interface TokenFlags {
  token?: string
  tokenCommand?: string
  /** `--no-auth` sets it to false. */
  auth: boolean
}

/**
 * The bearer token that the flags name, null with `--no-auth`, undefined where nothing names one.
 * `@FILE` reads it from a file, as curl does, so that it stays out of the process list.
 *
 * @throws CommandError when the file or the command does not give one.
 */
export function resolveToken({ token, tokenCommand, auth }: TokenFlags): string | null | undefined {
  if (!auth) return null
  if (tokenCommand !== undefined) return checked(run(tokenCommand), `The command "${tokenCommand}"`)
  const text = token ?? process.env['BIOPROCESS_SQL_TOKEN']
  if (!text?.startsWith('@')) return text === undefined ? undefined : checked(text, 'The token')
  return checked(read(text.slice(1)), `The token file ${text.slice(1)}`)
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    throw new CommandError(
      `The token file ${file} can not be read. Check the path and its permissions.`,
      EXIT.usage,
    )
  }
}

function run(command: string): string {
  try {
    return execFileSync(command, {
      shell: true,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    }).trim()
  } catch {
    throw new CommandError(
      `The token command failed: ${command}. Run it by hand; it has to print the token and exit 0.`,
      EXIT.usage,
    )
  }
}

/** A header can carry visible ASCII alone; fetch would say so with a stack trace. */
function checked(token: string, source: string): string {
  if (!/^[\u0021-\u007E]+$/.test(token))
    throw new CommandError(
      `${source} holds no usable token: it has to be one word of visible ASCII characters.`,
      EXIT.usage,
    )
  return token
}

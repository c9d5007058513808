import { exec } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { CommandError, EXIT } from './exit.ts'

export interface TokenFlags {
  token?: string
  tokenCommand?: string
  /** `--no-auth` sets it to false. */
  auth: boolean
}

export interface TokenSource {
  /** The bearer token; null with `--no-auth`. */
  token: string | null
  /** Gets the next one, where a command gives it. */
  renewToken?: () => Promise<string>
}

/** How long a token command may take, in milliseconds. */
const COMMAND_LIMIT_MS = 60_000

/**
 * The bearer token that the flags name, undefined where nothing names one. A command is run at once, and again
 * for every renewal.
 *
 * @throws CommandError when the file or the command does not give one.
 */
export async function resolveToken(flags: TokenFlags): Promise<TokenSource | undefined> {
  const { token, tokenCommand, auth } = flags
  if (!auth) return { token: null }
  if (tokenCommand !== undefined) {
    const renewToken = async () => checked(await run(tokenCommand), `The command "${tokenCommand}"`)
    return { token: await renewToken(), renewToken }
  }
  const text = token ?? process.env['BIOPROCESS_SQL_TOKEN']
  return text === undefined ? undefined : { token: readToken(text, 'The token') }
}

/**
 * A token as it is given; `@FILE` reads it from a file, as curl does, so that it stays out of the process list.
 *
 * @throws CommandError when the file can not be read, or what is given can not be a token.
 */
export const readToken = (text: string, name: string): string =>
  text.startsWith('@') ? checked(read(text.slice(1)), `${name} file ${text.slice(1)}`) : checked(text, name)

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

async function run(command: string): Promise<string> {
  try {
    const running = promisify(exec)(command, { encoding: 'utf8', timeout: COMMAND_LIMIT_MS })
    running.child.stdin?.end()
    running.child.stderr?.pipe(process.stderr)
    return (await running).stdout.trim()
  } catch {
    throw new CommandError(
      `The token command failed: ${command}. Run it by hand; it has to print the token and exit 0 within ${COMMAND_LIMIT_MS / 1000} s.`,
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

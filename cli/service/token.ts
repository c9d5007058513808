import { exec } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { promisify } from 'node:util'
import { CommandError, EXIT } from '../exit.ts'
import { readInput } from '../files/input-file.ts'
import type { TargetOptions } from './target-options.ts'

export interface TokenSource {
  /** The bearer token; null with `--no-auth`. */
  token: string | null
  /** Gets a new token; only with `--token-command`. `signal` ends the command. */
  renewToken?: (signal?: AbortSignal) => Promise<string>
}

/** How long a token command may take, in milliseconds. */
const COMMAND_LIMIT_MS = 60_000

/**
 * The bearer token of the options. A token command runs now and again for each renewal.
 *
 * @param asker what the token is for, as a noun
 * @throws CommandError if there is no token, or the file or the command gives none
 */
export async function resolveToken(
  options: Pick<TargetOptions, 'token' | 'tokenCommand' | 'auth'>,
  asker: string,
): Promise<TokenSource> {
  const { token, tokenCommand, auth } = options
  if (!auth) return { token: null }
  if (tokenCommand !== undefined) {
    const renewToken = async (signal?: AbortSignal) =>
      checked(await run(tokenCommand, signal), `The command "${tokenCommand}"`)
    return { token: await renewToken(), renewToken }
  }
  if (token !== undefined) return { token: readToken(token, 'The token') }
  throw new CommandError(
    `The ${asker} needs a token. Give --token TOKEN, --token @FILE or --token-command, or set BIOPROCESS_SQL_TOKEN. If the ${asker} has no authentication, give --no-auth.`,
    EXIT.usage,
  )
}

/**
 * A token. `@FILE` reads it from a file, as in curl, which keeps it out of the process list.
 *
 * @throws CommandError if the file cannot be read, the text cannot be a token, or it is a file whose `@` was forgotten
 */
export function readToken(text: string, name: string): string {
  if (text.startsWith('@'))
    return checked(readInput('token file', text.slice(1)).trim(), `${name} file ${text.slice(1)}`)
  if (existsSync(text) && statSync(text).isFile())
    throw new CommandError(`${name} is the name of a file. Write @${text} to read it.`, EXIT.usage)
  return checked(text, name)
}

async function run(command: string, signal: AbortSignal | undefined): Promise<string> {
  try {
    const running = promisify(exec)(command, { encoding: 'utf8', timeout: COMMAND_LIMIT_MS, signal })
    const { stdin, stdout, stderr } = running.child
    stdin?.end()
    stderr?.pipe(process.stderr)
    // what the shell has started may hold its output open
    signal?.addEventListener('abort', () => [stdout, stderr].forEach((stream) => stream?.destroy()))
    return (await running).stdout.trim()
  } catch {
    throw new CommandError(
      `The token command failed: ${command}. Run it in a shell: it must print the token and exit with 0 within ${COMMAND_LIMIT_MS / 1000} s.`,
      EXIT.usage,
    )
  }
}

/** Headers carry only visible ASCII; without this check, fetch would fail with a stack trace. */
function checked(token: string, source: string): string {
  if (!/^[\u0021-\u007E]+$/.test(token))
    throw new CommandError(
      `${source} holds no usable token. Give one word of visible ASCII characters.`,
      EXIT.usage,
    )
  return token
}

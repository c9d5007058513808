import { type ChildProcess, spawn, type SpawnOptions, spawnSync } from 'node:child_process'
import { constants } from 'node:os'
import { win32 } from 'node:path'
import { CommandError } from '../exit.ts'

/** Starts a command of the user. Windows needs cmd.exe for scripts such as npm, and opens a window for a detached process. */
export const startCommand = (command: string, args: readonly string[], options: SpawnOptions): ChildProcess =>
  process.platform === 'win32'
    ? spawn(commandLine(command, args), { ...options, detached: false, shell: true })
    : spawn(command, args, options)

/** A command as a line of cmd.exe, which replaces %NAME% in quotes too. */
export const commandLine = (command: string, args: readonly string[]): string =>
  [win32.normalize(command), ...args].map((word) => (PLAIN.test(word) ? word : quoted(word))).join(' ')

const PLAIN = /^[\w.:\\/=@+-]+$/
const quoted = (word: string) => `"${word.replaceAll(/(\\*)"/g, '$1$1\\"').replace(/\\+$/, '$&$&')}"`

/** The exit code of a command, as a shell tells it. @throws CommandError with the code of `failed` if it does not start */
export function exitCodeOf(child: ChildProcess, command: string, failed: (code?: string) => number) {
  return new Promise<number>((resolve, reject) => {
    child.once('error', ({ code }: NodeJS.ErrnoException) => {
      const problem = `Cannot start the command "${command}" (${code}). Check its name and that it is executable.`
      reject(new CommandError(problem, failed(code)))
    })
    child.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal!]))
  })
}

/** Ends what is left of the group that a command leads. Windows has no groups: the command and what it started, while it runs. */
export function endProcesses({ pid, exitCode }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    if (process.platform !== 'win32') process.kill(-pid, signal)
    // the id of a process that has ended may be that of another one
    else if (exitCode === null) spawnSync('taskkill', ['/pid', `${pid}`, '/t', '/f'], { stdio: 'ignore' })
  } catch {
    // none is left
  }
}

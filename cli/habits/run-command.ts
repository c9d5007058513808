import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { Failure, Habit, RunTests } from '../../client/conformance/index.ts'
import { contract } from '../../schemas/contract.ts'
import { EXIT } from '../exit.ts'
import { endProcesses, exitCodeOf, startCommand } from './command.ts'

/** What is kept of the output of a command: its last lines. */
const [KEPT_CHARACTERS, KEPT_LINES] = [16_384, 20]

/** How long a command may take to stop by itself, and its output to end after it, in milliseconds. */
const [GRACE_MS, OUTPUT_MS] = [2000, 500]

/** Runs a command as the tests of a client, and afterwards ends all processes that it started. */
export interface CommandTests {
  readonly run: RunTests
  /** Removes the profiles. */
  close(): void
}

/**
 * The command gets the server as BIOPROCESS_SQL_BASE_URL and BIOPROCESS_SQL_TOKEN, the id of the habit as
 * BIOPROCESS_SQL_HABIT, and a profile of the service as the file BIOPROCESS_SQL_SERVICE_PROFILE.
 */
export function commandTests(command: string, args: readonly string[]): CommandTests {
  const folder = mkdtempSync(join(tmpdir(), 'bioprocess-sql-'))
  let runs = 0
  return {
    run: async ({ baseUrl, token, habit, signal }) => {
      const profile = join(folder, `${++runs}.json`)
      writeFileSync(profile, JSON.stringify(profileOf(habit)))
      const child = startCommand(command, args, {
        stdio: ['ignore', 'pipe', 'pipe'],
        // a group of its own, so that its own children can be ended too
        detached: true,
        env: {
          ...process.env,
          BIOPROCESS_SQL_BASE_URL: baseUrl,
          BIOPROCESS_SQL_TOKEN: token,
          BIOPROCESS_SQL_HABIT: habit?.id ?? '',
          BIOPROCESS_SQL_SERVICE_PROFILE: profile,
        },
      })
      return outcomeOf(child, command, signal)
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}

const profileOf = (habit: Habit | undefined) => ({
  contract: contract.version,
  variants: habit?.variants ?? {},
})

async function outcomeOf(
  child: ChildProcess,
  command: string,
  signal: AbortSignal,
): Promise<Failure | undefined> {
  let output = ''
  for (const stream of [child.stdout!, child.stderr!])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-KEPT_CHARACTERS)
    })
  const outputEnded = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const stop = () => {
    endProcesses(child, 'SIGTERM')
    setTimeout(() => endProcesses(child, 'SIGKILL'), GRACE_MS).unref()
  }
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  try {
    const code = await exitCodeOf(child, command, () => EXIT.usage)
    // a process that the command left behind may hold its output open
    await Promise.race([outputEnded, new Promise((resolve) => setTimeout(resolve, OUTPUT_MS).unref())])
    return code === 0 && !signal.aborted
      ? undefined
      : { message: `The command ended with ${code}.`, output: lastLines(output) }
  } finally {
    signal.removeEventListener('abort', stop)
    endProcesses(child, 'SIGKILL')
    // a process in a group of its own holds them open, and with them this one
    child.stdout!.destroy()
    child.stderr!.destroy()
  }
}

const lastLines = (output: string): string =>
  stripVTControlCharacters(output).trimEnd().split('\n').slice(-KEPT_LINES).join('\n')

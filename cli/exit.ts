import { printable } from '../base/text/printable.ts'
import { remedyOf } from './files/system-errors.ts'

/**
 * Exit codes of all commands; `conformance` adds codes for its verdicts. An unexpected error is `broken`: the code `failed` is
 * a verdict of `conformance` and of `compare --gate`.
 */
export const EXIT = { done: 0, failed: 1, usage: 2, incomplete: 3, broken: 4, interrupted: 130 } as const

/** A command failed for a reason the user can fix; the message names the remedy. */
export class CommandError extends Error {
  readonly exitCode: number
  constructor(message: string, exitCode: number = EXIT.failed) {
    super(message)
    this.exitCode = exitCode
  }
}

/** Exit codes of errors of other modules whose message addresses the user. */
const EXIT_CODES: Record<string, number> = {
  UnknownVariant: EXIT.usage,
  AuthOptionsError: EXIT.usage,
  FaultError: EXIT.usage,
  UsageError: EXIT.usage,
  HabitUsageError: EXIT.usage,
  ServerError: EXIT.usage,
  DatabaseOptionError: EXIT.usage,
  DatabaseError: EXIT.failed,
  ExportError: EXIT.failed,
  ImportError: EXIT.failed,
  RecordingError: EXIT.failed,
  DatasetError: EXIT.usage,
  VerifyError: EXIT.usage,
}

/**
 * The message and the exit code of an error; texts of others in the message cannot control the terminal. An unexpected error
 * shows its stack only if DEBUG is set.
 */
export function explain(error: unknown): { sentence: string; exitCode: number } {
  const { message, exitCode } = explained(error)
  return { sentence: printable(message), exitCode }
}

function explained(error: unknown): { message: string; exitCode: number } {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error))
  if (error instanceof CommandError) return error
  if (name in EXIT_CODES) return { message, exitCode: isOfSystem(error) ? EXIT.failed : EXIT_CODES[name]! }
  // the code of an error is lost on its way out of a thread, but the message of a file operation begins with it
  const remedy = remedyOf(/^E[A-Z]+\b/.exec(message)?.[0] ?? '')
  if (remedy !== undefined)
    return { message: `The system refused an operation (${message}). ${remedy}`, exitCode: EXIT.failed }
  const detail = process.env['DEBUG'] ? `\n${stack}` : ' Set DEBUG=1 to include its stack trace.'
  return {
    message: `Unexpected error: ${message}. This is a bug; please report it.${detail}`,
    exitCode: EXIT.broken,
  }
}

/** Whether the system refused something, such as a port in use: the options may be right. */
const isOfSystem = (error: unknown): boolean =>
  ((error as Error).cause as NodeJS.ErrnoException | undefined)?.syscall !== undefined

/** Exit codes of all commands; `conformance` adds codes for its verdicts. */
export const EXIT = { done: 0, failed: 1, usage: 2, broken: 4, interrupted: 130 } as const

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
  ServerError: EXIT.failed,
  ExportError: EXIT.failed,
  ImportError: EXIT.failed,
  DatasetError: EXIT.usage,
  PlotError: EXIT.usage,
}

/** The message and the exit code of an error. An unexpected error shows its stack only if DEBUG is set. */
export function explain(error: unknown): { sentence: string; exitCode: number } {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error))
  if (error instanceof CommandError) return { sentence: message, exitCode: error.exitCode }
  if (name in EXIT_CODES) return { sentence: message, exitCode: EXIT_CODES[name]! }
  const detail = process.env['DEBUG'] ? `\n${stack}` : ' Set DEBUG=1 to include its stack trace.'
  return {
    sentence: `Unexpected error: ${message}. This is a bug; please report it.${detail}`,
    exitCode: EXIT.failed,
  }
}

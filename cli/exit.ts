/** Exit codes shared by all commands; `conformance` has further ones for its verdicts. */
export const EXIT = { done: 0, failed: 1, usage: 2, broken: 4, interrupted: 130 } as const

/** A command could not do what it was asked to: exit code 1 unless it says otherwise. */
export class CommandError extends Error {
  readonly exitCode: number
  constructor(message: string, exitCode: number = EXIT.failed) {
    super(message)
    this.exitCode = exitCode
  }
}

/** Errors of other parts whose message is meant for the user, with the exit code they call for. */
const KNOWN: Record<string, number> = {
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

/** What to tell the user, in a sentence. A stack is shown only when DEBUG asks for it. */
export function explain(error: unknown): { sentence: string; exitCode: number } {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error))
  if (error instanceof CommandError) return { sentence: message, exitCode: error.exitCode }
  if (name in KNOWN) return { sentence: message, exitCode: KNOWN[name]! }
  const detail = process.env['DEBUG'] ? `\n${stack}` : ' Set DEBUG=1 to see where.'
  return {
    sentence: `This is a fault of ours, please report it: ${message}.${detail}`,
    exitCode: EXIT.failed,
  }
}

import { CommandError, EXIT } from './exit.ts'

/** Signals that end a command: Ctrl-C, a job that is cancelled, a terminal that closes. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Calls the listener for a signal that ends a command, in place of an end at once.
 *
 * @param times once: the second signal of a kind ends the command at once
 * @returns stops listening
 */
export function onInterruption(
  listener: (signal: NodeJS.Signals) => void,
  times: 'once' | 'on' = 'once',
): () => void {
  for (const signal of SIGNALS) process[times](signal, listener)
  return () => SIGNALS.forEach((signal) => process.off(signal, listener))
}

/**
 * A signal that aborts when the command is interrupted, so that its work ends in order; `end` stops listening.
 *
 * @param message the error of the command
 */
export function interruptible(message?: string): { signal: AbortSignal; end(): void } {
  const controller = new AbortController()
  const reason = () => (message === undefined ? undefined : new CommandError(message, EXIT.interrupted))
  return { signal: controller.signal, end: onInterruption(() => controller.abort(reason())) }
}

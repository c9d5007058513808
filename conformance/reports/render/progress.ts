import type { CheckResult } from '../../../schemas/index.ts'
import { painter } from './paint.ts'
import { SYMBOLS } from '../symbols.ts'
import { plain } from '../plain.ts'

interface Stream {
  isTTY?: boolean
  write(text: string): unknown
}

export interface Progress {
  result(result: CheckResult, state: { done: number; total: number; running: readonly string[] }): void
  /** Clears the line and stops the timer. */
  end(): void
}

/** Interval between two progress lines, in milliseconds. */
const EVERY_MS = { terminal: 250, log: 10_000 }

/**
 * Shows the progress of a run: failures, and a line that a terminal overwrites and a log repeats.
 *
 * @example
 * const progress = showProgress(process.stderr)
 * await runConformance({ baseUrl, token, onResult: progress.result })
 * progress.end()
 */
export function showProgress(stream: Stream): Progress {
  const paint = painter(stream)
  const started = performance.now()
  let state = { done: 0, total: 0, running: [] as readonly string[] }
  const line = () => {
    const seconds = Math.round((performance.now() - started) / 1000)
    const waiting =
      state.done > 0 && state.running.length > 0
        ? `, waiting for ${state.running.slice(0, 3).join(', ')}`
        : ''
    return `${state.done} of ${state.total || '…'} checks, ${seconds} s${waiting}`
  }
  const tick = () => stream.write(stream.isTTY ? `\r\u001b[K${line()}` : `${line()}\n`)
  const timer = setInterval(tick, stream.isTTY ? EVERY_MS.terminal : EVERY_MS.log)
  timer.unref?.()
  return {
    result(result, next) {
      state = next
      const { mark, style } = SYMBOLS[result.outcome]
      if (!['fail', 'error'].includes(result.outcome)) return
      stream.write(
        `${stream.isTTY ? '\r\u001b[K' : ''}${paint(style, mark)} ${result.requirement} ${result.id}: ${plain(result.message)}\n`,
      )
    },
    end() {
      clearInterval(timer)
      if (stream.isTTY) stream.write('\r\u001b[K')
    },
  }
}

import { printableLine } from '../../schemas/printable.ts'

/** Lines are collected for this time, because a write takes as long as a tenth of a small statement. */
const flushAfterMs = 20

/** Lines are written at once above this number of characters. */
const maxLength = 64 << 10

/**
 * Collects lines and writes them together. Nothing is lost when the process exits; a process that is killed loses the
 * lines of the last 20 ms.
 */
export function logLines(write: (text: string) => unknown): (line: string) => void {
  let text = ''
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    const lines = text
    text = ''
    if (lines !== '') write(lines)
  }
  process.on('exit', flush)
  return (line) => {
    text += `${printableLine(line)}\n`
    if (text.length > maxLength) flush()
    else timer ??= setTimeout(flush, flushAfterMs).unref()
  }
}

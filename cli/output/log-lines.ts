/** Lines are collected for this time, because a write takes as long as a tenth of a small statement. */
const flushAfterMs = 20

/** Lines are written at once above this number of characters. */
const maxLength = 64 << 10

/**
 * Collects lines and writes them together. An exit writes the lines that are left; a process that is killed loses the
 * lines of the last 20 ms.
 *
 * @param write gets the text and the number of its lines
 */
export function logLines(write: (text: string, lines: number) => void): (line: string) => void {
  let text = ''
  let lines = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    const written = [text, lines] as const
    text = ''
    lines = 0
    if (written[1] > 0) write(...written)
  }
  process.on('exit', flush)
  return (line) => {
    text += `${line}\n`
    lines += 1
    if (text.length > maxLength) flush()
    else timer ??= setTimeout(flush, flushAfterMs).unref()
  }
}

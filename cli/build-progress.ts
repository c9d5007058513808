interface Stream {
  isTTY?: boolean
  write(text: string): unknown
}

/** Shows how the first start builds its data: one changing line on a terminal, a line a step in a log. */
export function showBuild(stream: Stream): { step(text: string): void; end(): void } {
  let shown = false
  return {
    step(text) {
      shown = true
      stream.write(stream.isTTY ? `\r\u001b[K${text}` : `${text}\n`)
    },
    end() {
      if (shown && stream.isTTY) stream.write('\r\u001b[K')
    },
  }
}

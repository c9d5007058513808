interface Stream {
  isTTY?: boolean
  write(text: string): unknown
}

/** Shows the steps that build the data of a first start: one changing line in a terminal, one line a step in a log. */
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

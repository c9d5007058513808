import { logsJson, say } from './log.ts'

/** What a progress is written to. */
export interface Stream {
  isTTY?: boolean
  write(text: string): unknown
}

/** Shows the steps that build the data of a first start: one changing line in a terminal, one line a step in a log. */
export function showBuild(stream: Stream): { step(text: string): void; end(): void } {
  const isRedrawn = stream.isTTY && !logsJson()
  let shown = false
  return {
    step(text) {
      shown = true
      if (isRedrawn) stream.write(`\r\u001b[K${text}`)
      else say(text)
    },
    end() {
      if (shown && isRedrawn) stream.write('\r\u001b[K')
    },
  }
}

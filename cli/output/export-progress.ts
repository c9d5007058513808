import { clock } from '../../base/time/duration.ts'
import type { Progress } from '../../fixtures/export/index.ts'
import type { Stream } from './build-progress.ts'

/** Milliseconds between two lines: often in a terminal, which redraws one line, rarely in a log. */
const everyMs = { terminal: 100, log: 5000 }
/** Characters of the progress bar. */
const width = 24

/**
 * Shows the progress of an export, its rate and the time left, estimated from the parts done.
 *
 * @param now a clock in milliseconds; tests replace it
 */
export function showExport(
  stream: Stream,
  now: () => number = () => performance.now(),
): { step(progress: Progress): void; end(): void } {
  const started = now()
  let shown = started
  return {
    step(progress) {
      const time = now()
      // the first part has no points: its rate would mislead
      if (progress.points === 0) return
      if (time - shown < (stream.isTTY ? everyMs.terminal : everyMs.log)) return
      shown = time
      const line = describe(progress, time - started)
      const filled = Math.round((width * progress.done) / progress.parts)
      stream.write(
        stream.isTTY ? `\r\u001b[K${'█'.repeat(filled)}${'░'.repeat(width - filled)} ${line}` : `${line}\n`,
      )
    },
    end() {
      if (stream.isTTY && shown > started) stream.write('\r\u001b[K')
    },
  }
}

function describe({ parts, done, points }: Progress, elapsedMs: number): string {
  const percent = Math.floor((100 * done) / parts)
  const rate = Math.round((1000 * points) / elapsedMs)
  const left = clock((elapsedMs * (parts - done)) / done)
  return `${percent} %, ${points.toLocaleString('en')} points, ${rate.toLocaleString('en')} a second, ${left} left`
}

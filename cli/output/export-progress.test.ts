import { expect, test } from 'vitest'
import { showExport } from './export-progress.ts'

/** The output of an export of ten parts of 1000 points that finishes two parts every `everyMs`. */
function shown(isTTY: boolean, everyMs: number): string[] {
  const written: string[] = []
  let time = 0
  const progress = showExport({ isTTY, write: (text) => written.push(text) }, () => time)
  for (let done = 2; done <= 10; done += 2) {
    time += everyMs
    progress.step({ parts: 10, done, rows: 0, points: 1000 * done })
  }
  progress.end()
  return written
}

test('an export logs its share, points, rate and time left every few seconds', () => {
  expect(shown(false, 3000)).toEqual([
    '40 %, 4,000 points, 667 a second, 0:09 left\n',
    '80 %, 8,000 points, 667 a second, 0:03 left\n',
  ])
  expect(shown(false, 90_000)[0]).toBe('20 %, 2,000 points, 22 a second, 6:00 left\n')
})

test('an export shows a progress bar in a terminal and clears it at the end', () => {
  const written = shown(true, 1000)
  expect(written).toHaveLength(6)
  expect(written[1]).toBe(
    `\r\u001b[K${'█'.repeat(10)}${'░'.repeat(14)} 40 %, 4,000 points, 2,000 a second, 0:03 left`,
  )
  expect(written.at(-1)).toBe('\r\u001b[K')
})

test('a short export shows no progress', () => {
  expect(shown(true, 1)).toEqual([])
  expect(shown(false, 1)).toEqual([])
})

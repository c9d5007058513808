import { expect, test, vi } from 'vitest'
import { logLines } from './log-lines.ts'

test('lines are written together, in their order, after a short time', async () => {
  const written: string[] = []
  const counts: number[] = []
  const log = logLines((text, lines) => {
    written.push(text)
    counts.push(lines)
  })
  log('one')
  log('two')
  expect(written).toEqual([])
  await vi.waitFor(() => expect(written).toEqual(['one\ntwo\n']), 20_000)
  log('three')
  await vi.waitFor(() => expect(counts).toEqual([2, 1]), 20_000)
})

test('a burst of lines is written at once', () => {
  const written: string[] = []
  const log = logLines((text) => void written.push(text))
  for (let n = 0; n < 1000; n++) log('x'.repeat(100))
  expect(written.join('').length).toBeGreaterThan(60_000)
})

test('an exit writes what is left', () => {
  const written: string[] = []
  logLines((text) => void written.push(text))('last')
  process.emit('exit', 0)
  expect(written).toEqual(['last\n'])
})

import { expect, test } from 'vitest'
import { reportParts } from './progress.ts'

/** The reports on a plant of ten parts, each of which takes some time. */
function reports(partMs: number): string[] {
  const messages: string[] = []
  let time = 0
  const countPart = reportParts(
    (message) => messages.push(message),
    () => time,
  )
  for (let part = 0; part < 10; part++) {
    time += partMs
    countPart(10)
  }
  return messages
}

test('a large plant reports its share and the time left every few seconds', () => {
  expect(reports(2000)).toEqual([
    'Stored 20 % of the plant, 0:16 left.',
    'Stored 40 % of the plant, 0:12 left.',
    'Stored 60 % of the plant, 0:08 left.',
    'Stored 80 % of the plant, 0:04 left.',
  ])
})

test('a small plant reports nothing', () => {
  expect(reports(290)).toEqual([])
})

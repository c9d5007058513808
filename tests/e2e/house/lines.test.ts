import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../support/cli.ts'
import { sources } from '../support/sources.ts'

/** Most lines of each room: what was reached, and 2 %. */
const budgets: Readonly<Record<string, number>> = {
  base: 930,
  cli: 4_965,
  client: 5_565,
  conformance: 19_057,
  console: 6_463,
  fixtures: 14_160,
  generators: 2_413,
  invariants: 3_085,
  mock: 19_551,
  schemas: 5_626,
}

/** Rooms whose files are not part of the product. */
const outside = new Set('.ci .github build docs examples node_modules tests'.split(' '))

/** Files that nobody writes by hand: derived ones, and the frozen sets. */
const derived = /(^|\/)generated\/|^schemas\/requirement-sets\//

const isHandWritten = (path: string): boolean =>
  path.includes('/') &&
  !outside.has(path.split('/')[0]!) &&
  !derived.test(path) &&
  /\.(tsx?|m?js|css|html|json)$/.test(path) &&
  !/\.(test|test-d|test-helper)\.tsx?$/.test(path)

/** Hand-written lines by room, by exclusion: a new room counts at once. */
function linesByRoom(): Record<string, number> {
  const lines: Record<string, number> = {}
  for (const path of sources().filter(isHandWritten)) {
    const [room] = path.split('/') as [string]
    lines[room] = (lines[room] ?? 0) + readFileSync(join(root, path), 'utf8').split('\n').length - 1
  }
  return lines
}

test('each room keeps its budget of hand-written lines', () => {
  const lines = linesByRoom()
  expect(Object.keys(lines).toSorted(), 'each room needs a budget above').toEqual(
    Object.keys(budgets).toSorted(),
  )
  const over = Object.entries(budgets).filter(([room, most]) => lines[room]! > most)
  expect(
    over.map(([room, most]) => `${room} has ${lines[room]} lines, ${most} at most`),
    'what comes in pays for its room: take something out',
  ).toEqual([])
})

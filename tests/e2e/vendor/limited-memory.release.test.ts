import { expect, test } from 'vitest'
import { views } from '../../../schemas/index.ts'
import { success } from '../support/hostile-target.ts'
import { judgedInLimitedMemory } from '../support/limited-memory.ts'

const MIB = 1024 * 1024

const columns = [...new Set(views.flatMap((view) => view.columns.map(({ name }) => name)))]
const times = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n))
const objects = (count: number, members: (n: number) => string[]): string =>
  success(`[${times(count, (n) => `{${members(n).join()}}`).join()}]`)

/** Rows with some documented columns, of some 250 bytes; the values differ in every row. */
const wide = (count: number, first = 0): string =>
  objects(count, (n) =>
    columns.slice(0, 6).map((column, at) => `"${column}":"the ${at}th value of row ${first + n}"`),
  )

const always = (body: string) => () => body
const longName = (column: string): string => `"${column}${'x'.repeat(300_000)}":1`

type Case = [what: string, answer: () => (n: number) => string, exit: number]
const cases: readonly Case[] = [
  ['one value of 36 MiB', () => always(objects(1, () => [`"id":"${'0000000 '.repeat(4.5 * MIB)}"`])), 3],
  ['36 values of 1 MiB', () => always(objects(36, (n) => [`"id":"${n}${'a1-'.repeat(350_000)}"`])), 1],
  ['100,000 rows to every statement', () => always(wide(100_000)), 1],
  ['120,000 empty rows', () => always(success(`[${'{},'.repeat(119_999)}{}]`)), 1],
  ['other rows in every answer', () => (n) => wide(2000, n * 2000), 1],
  ['names of 300,000 letters', () => always(objects(1, () => columns.map(longName))), 3],
  ['an object of 600,000 members', () => always(objects(1, () => times(600_000, (n) => `"key ${n}":1`))), 4],
  [
    'an object of 200,000 keys with one hash',
    () => always(objects(1, () => times(200_000, (n) => `"${2 ** 32 + n * 2 ** 24}":1`))),
    3,
  ],
  ['objects of 9,000 members', () => always(objects(1, () => times(9000, (n) => `"key ${n}":1`))), 1],
]

test.each(cases)(
  'a target with %s is judged, and both reports are complete',
  // for a machine that is busy with other things
  { timeout: 180_000 },
  async (_, answer, exit) => {
    const { exitCode, report } = await judgedInLimitedMemory(answer())
    expect(exitCode, report.reasons.join('\n')).toBe(exit)
    expect(JSON.stringify(report).length).toBeLessThan(2 * MIB)
  },
)

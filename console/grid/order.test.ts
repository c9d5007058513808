import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hintOf, matching, type Rows, type Sort, sorted, type Steps, wordsOf } from './order.ts'

function result<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}
const order = (rows: Rows, sort: Sort) => [...result(sorted(rows, sort))]
const columnOf = (values: readonly unknown[]): Rows => values.map((value) => [value])
const values = fc.array(
  fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constantFrom('a', 'B', 'b'), fc.constant(null)),
)

test.each([false, true])(
  'sorts stably, as a permutation, with nulls last (descending: %s)',
  (isDescending) => {
    fc.assert(
      fc.property(values, (column) => {
        const indexes = order(columnOf(column), { column: 0, isDescending })
        expect(indexes.toSorted((a, b) => a - b)).toEqual([...column.keys()])
        const kinds = isDescending ? ['string', 'number', 'object'] : ['number', 'string', 'object']
        for (const [at, index] of indexes.slice(1).entries()) {
          const [before, after] = [column[indexes[at]!]!, column[index]!]
          const kind = kinds.indexOf(typeof before) - kinds.indexOf(typeof after)
          expect(kind).toBeLessThanOrEqual(0)
          if (kind === 0 && before === after) expect(indexes[at]).toBeLessThan(index)
          else if (kind === 0) expect(before < after).toBe(!isDescending)
        }
      }),
    )
  },
)

test('leaves rows as sent without a sort', () => {
  expect(order(columnOf([3, 1, 2]), undefined)).toEqual([0, 1, 2])
})

test('sorts numbers by value', () => {
  expect(order(columnOf([10, 9.5, 1e21, -1]), { column: 0, isDescending: false })).toEqual([3, 1, 0, 2])
})

const filtered = (rows: Rows, all: Uint32Array, shown: readonly number[], text: string) => [
  ...result(matching(rows, all, shown, wordsOf(text, ['id', 'State']))),
]

test('a filter keeps the rows with a quoted text in a shown column, in their order', () => {
  const texts = fc.array(fc.tuple(fc.string({ maxLength: 4 }), fc.string({ maxLength: 4 })))
  const wanted = fc.string({ minLength: 1, maxLength: 2 }).filter((text) => !text.includes('"'))
  fc.assert(
    fc.property(texts, wanted, (rows, text) => {
      const all = Uint32Array.from(rows.keys()).toReversed()
      const expected = [...all].filter((index) => rows[index]![1].toLowerCase().includes(text.toLowerCase()))
      expect(filtered(rows, all, [1], `"${text}"`)).toEqual(expected)
    }),
  )
})

test('a filter finds numbers and JSON as they are shown, and no nulls', () => {
  const rows = [
    [1.25, null],
    [null, { a: 2.5 }],
  ]
  const found = (text: string) => filtered(rows, Uint32Array.of(0, 1), [0, 1], text)
  expect([found('1.25'), found('2.5}'), found('null')]).toEqual([[0], [1], []])
})

test.each([
  ['done b', [1]],
  ['state:done', [1, 2]],
  ['STATE:"is done"', [2]],
  ['id:done', []],
  ['other:done', []],
  ['state: b', [1]],
  ['"b', [1]],
  ['   ', [0, 1, 2]],
  ['-draft', [1, 2]],
  ['-"is done" done', [1]],
  ['-state:is', [0, 1]],
  ['"-b"', []],
  ['-', []],
  ['--', []],
])('the filter %s has words, of a column or of all', (text, expected) => {
  const rows = [
    ['a', 'draft'],
    ['b', 'done'],
    ['c', 'is done'],
  ]
  expect(filtered(rows, Uint32Array.of(0, 1, 2), [0, 1], text)).toEqual(expected)
})

test('a filter by name looks in a hidden column, too', () => {
  const rows = [['a', 'done']]
  expect(filtered(rows, Uint32Array.of(0), [0], 'done')).toEqual([])
  expect(filtered(rows, Uint32Array.of(0), [0], 'state:done')).toEqual([0])
})

const times = ['2026-01-02T10:00:00Z', '2026-01-02 12:00:00+01', '2026-01-02T10:00:00.5', '2025-12', null]
test.each([
  ['n>9', [1, 4]],
  ['n>=9', [0, 1, 4]],
  ['n<9', [2]],
  ['n<=9', [0, 2]],
  ['-n>9', [0, 2, 3]],
  ['n>9007199254740992', [4]],
  ['n>', [0, 1, 2, 3, 4]],
  ['n>many', []],
  ['n=9.0', [0]],
  ['n=NONE', [3]],
  ['t=2026-01-02T11:00Z', [1]],
  ['t:null', [4]],
  ['-t=null', [0, 1, 2, 3]],
  ['t>2026-01-02T10:00', [1, 2]],
  ['T<=2026-01-02', [3]],
  ['t>="2026-01-02 11:00"', [1]],
  ['t<2026-01', [3]],
  ['t>5', []],
])('the filter %s compares numbers or timestamps', (text, expected) => {
  const rows = [9, 10, '-1.5', 'none', 9007199254740993n].map((n, index) => [n, times[index]])
  expect([
    ...result(matching(rows, Uint32Array.from(rows.keys()), [0, 1], wordsOf(text, ['n', 't']))),
  ]).toEqual(expected)
})

test.each([
  ['statsu:draft', 'There is no column statsu. Similar are: Status, start.'],
  ['draft -tatus>5', 'There is no column tatus. Similar are: Status.'],
  ['zzz:1', 'There is no column zzz. The columns are: id, Status, start.'],
  ['status:x start>2026-01-01 10:30 -x "zzz:1"', undefined],
])('for %s the hint is %s', (filter, hint) => {
  expect(hintOf(filter, ['id', 'Status', 'start'])).toBe(hint)
})

test('work can pause between rows', () => {
  const rows = columnOf(Array.from({ length: 1000 }, (_, index) => -index))
  const steps = sorted(rows, { column: 0, isDescending: false })
  let pauses = 0
  while (!steps.next().done) pauses++
  expect(pauses).toBeGreaterThan(1000)
})

import { expect, test } from 'vitest'
import { handmade, rowsReply } from '../../connection/handmade.test-helper.ts'
import { sameValues } from '../findings/same-values.ts'

const run = sameValues(false)

const two = [
  { id: 'q1', name: 'pH' },
  { id: 'q2', name: 'DO' },
]
const star = 'SELECT * FROM v_quantities LIMIT 200'

test('sql.same-values fails if two answers repeatedly show different values of a row', async () => {
  const target = handmade({
    rows: { v_quantities: two },
    answer: ({ sql }) => (sql === star ? rowsReply(two.map((row) => ({ ...row, name: 'x' }))) : undefined),
  })
  const finding = await run(target)
  expect(finding).toMatchObject({
    outcome: 'fail',
    message: 'two answers show different values of name for the row "q1" of v_quantities',
  })
  expect(finding.exchanges).toHaveLength(2)
})

/** Rows whose names follow from the version of the data. */
const versioned = (version: number, stamped: boolean) =>
  Array.from({ length: 9 }, (_, n) => ({
    id: `q${n}`,
    name: n === 0 ? `name ${version % 2}` : `name ${n}`,
    ...(stamped && { last_updated_at: `2025-01-01T00:00:00.${100 + version}Z` }),
  }))

test.each([
  ['a value that a service toggles', false],
  ['a value that a service toggles with a new last_updated_at', true],
])('sql.same-values does not blame %s', async (_, stamped) => {
  for (let n = 0; n < 20; n++) {
    const target = handmade({
      rows: { v_quantities: versioned(0, stamped) },
      answer: ({ sql }) =>
        sql === star ? rowsReply(versioned(Math.floor(Math.random() * 900), stamped)) : undefined,
    })
    expect((await run(target)).outcome).not.toBe('fail')
  }
})

test('sql.same-values does not blame two copies that take turns, one of which is behind', async () => {
  for (let n = 0; n < 5; n++) {
    let turn = 0
    const target = handmade({
      rows: { v_quantities: versioned(0, false) },
      answer: ({ sql }) =>
        sql.startsWith('SELECT *') && sql.includes('v_quantities')
          ? rowsReply(versioned(turn++, false))
          : undefined,
    })
    expect((await run(target)).outcome).not.toBe('fail')
  }
})

test('sql.same-values is inconclusive if a row changes during the run', async () => {
  let stars = 0
  const target = handmade({
    rows: { v_quantities: two },
    answer: ({ sql }) =>
      sql === star && stars++ === 0 ? rowsReply(two.map((row) => ({ ...row, name: 'old' }))) : undefined,
  })
  expect(await run(target)).toMatchObject({ outcome: 'inconclusive' })
})

test('sql.same-values leaves a row out that changes during the run', async () => {
  let stars = 0
  const many = Array.from({ length: 9 }, (_, n) => ({ id: `q${n}`, name: `name ${n}` }))
  const target = handmade({
    rows: { v_quantities: many },
    answer: ({ sql }) =>
      sql === star && stars++ === 0 ? rowsReply([{ ...many[0], name: 'old' }, ...many.slice(1)]) : undefined,
  })
  expect(await run(target)).toMatchObject({
    outcome: 'pass',
    message: expect.stringContaining('but for 1 rows that changed meanwhile'),
  })
})

test('sql.same-values is inconclusive if a value changes and last_updated_at does not', async () => {
  let stars = 0
  const many = Array.from({ length: 9 }, (_, n) => ({
    id: `q${n}`,
    name: `name ${n}`,
    last_updated_at: '2025-01-02T03:04:05Z',
  }))
  const target = handmade({
    rows: { v_quantities: many },
    answer: ({ sql }) =>
      sql === star && stars++ === 0 ? rowsReply([{ ...many[0], name: 'old' }, ...many.slice(1)]) : undefined,
  })
  expect(await run(target)).toMatchObject({ outcome: 'inconclusive' })
})

test('sql.same-values does not blame a value that changes between two repetitions', async () => {
  let times = 0
  // each answer shows a later value
  const target = handmade({
    rows: { v_quantities: two },
    answer: ({ sql }) =>
      sql.includes('FROM v_quantities') && sql.startsWith('SELECT *')
        ? rowsReply(two.map((row) => ({ ...row, name: `version ${times++}` })))
        : undefined,
  })
  expect(await run(target)).toMatchObject({ outcome: 'inconclusive' })
})

test('sql.same-values proves nothing with one row in each view', async () => {
  const target = handmade({ rows: { v_quantities: two.slice(0, 1) } })
  expect(await run(target)).toMatchObject({ outcome: 'not-exercised' })
})

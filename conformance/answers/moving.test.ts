import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { handmade, rowsReply } from '../connection/handmade.test-helper.ts'
import { dataMoves, showsOlder } from './moving.ts'

const row = (id: string, second: number) => ({
  id,
  name: id,
  last_updated_at: `2025-01-01T00:00:0${second}Z`,
})

/** A target whose formulas `change` before the second statement. */
async function movesAfter(change: (rows: ReturnType<typeof row>[]) => void): Promise<boolean> {
  const rows = { v_formulas: [row('a', 1), row('b', 2)] }
  const target = handmade({ rows })
  await target.query('SELECT * FROM v_formulas LIMIT 200')
  change(rows.v_formulas)
  await target.query('SELECT * FROM v_formulas LIMIT 200')
  return dataMoves(target)
}

test('data move if a row has a later update', async () => {
  expect(await movesAfter((rows) => (rows[0]!.last_updated_at = '2025-01-01T00:00:02Z'))).toBe(true)
})

test('data move if there is a newer row', async () => {
  expect(await movesAfter((rows) => rows.push(row('c', 3)))).toBe(true)
})

test('data do not move if a value changes without an update, or if the rows stay as they are', async () => {
  expect(await movesAfter((rows) => (rows[0]!.name = 'x'))).toBe(false)
  expect(await movesAfter(() => {})).toBe(false)
})

test('answers to parallel requests do not show that data move', async () => {
  let second = 0
  const target = handmade({ answer: () => rowsReply([row('a', second++)]) })
  const read = () => target.query('SELECT id, last_updated_at FROM v_formulas LIMIT 200')
  await Promise.all([read(), read()])
  expect(dataMoves(target)).toBe(false)
  await read()
  await read()
  expect(dataMoves(target)).toBe(true)
})

test('data that are dated in the future need not move', async () => {
  const later = new Date(Date.now() + 3_600_000).toISOString()
  const target = handmade({ rows: { v_formulas: [{ ...row('a', 1), last_updated_at: later }] } })
  for (let n = 0; n < 2; n++) await target.query('SELECT * FROM v_formulas LIMIT 200')
  expect([dataMoves(target), showsOlder(target)]).toEqual([false, false])
})

test('data move if a row was updated during the run, also in answers to parallel requests', async () => {
  const later = new Date(Date.now() + 60_000).toISOString()
  const target = handmade({ rows: { v_formulas: [{ ...row('a', 1), last_updated_at: later }] } })
  const read = () => target.query('SELECT * FROM v_formulas LIMIT 200')
  await Promise.all([read(), read()])
  expect(dataMoves(target)).toBe(true)
})

test.each([
  ['older after newer, while rows change', [60, 0], true],
  ['newer after older', [0, 60], false],
  ['older after newer, and none from the time of the run', [-3000, -6000], false],
])('an answer shows an older state: %s', async (_, seconds, expected) => {
  const times = seconds.map((second) => new Date(Date.now() + second * 1000).toISOString())
  const target = handmade({
    answer: () => rowsReply([{ ...row('a', 1), last_updated_at: times.shift() }]),
  })
  for (let n = 0; n < seconds.length; n++) {
    await target.query('SELECT * FROM v_formulas LIMIT 200')
    await sleep(2)
  }
  expect(showsOlder(target)).toBe(expected)
})

test('an older time in a delta does not show an older state', async () => {
  const times = [60, 0].map((seconds) => new Date(Date.now() + seconds * 1000).toISOString())
  const target = handmade({
    answer: () => rowsReply([{ ...row('a', 1), last_updated_at: times.shift() }]),
  })
  for (const where of ['', " WHERE last_updated_at > '2025-01-01'"]) {
    await target.query(`SELECT * FROM v_formulas${where} LIMIT 200`)
    await sleep(2)
  }
  expect(showsOlder(target)).toBe(false)
})

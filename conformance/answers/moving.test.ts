import { expect, test } from 'vitest'
import { handmade, rowsReply } from '../connection/handmade.test-helper.ts'
import { dataMoves } from './moving.ts'

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

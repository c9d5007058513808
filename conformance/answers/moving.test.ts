import { expect, test } from 'vitest'
import { handmade } from '../connection/handmade.test-helper.ts'
import { dataMoves } from './moving.ts'

const many = Array.from({ length: 8 }, (_, n) => `f${n}`)
const row = (id: string, second: number) => ({
  id,
  name: id,
  last_updated_at: `2025-01-01T00:00:0${second}Z`,
})

/** A target whose formulas `change` before the second statement. */
async function movesAfter(change: (rows: ReturnType<typeof row>[]) => void): Promise<boolean> {
  const rows = { v_formulas: [row('a', 1), row('b', 2), ...many.map((id) => row(id, 0))] }
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

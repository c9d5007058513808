import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { loadParser } from '../../../gate/gate.ts'
import { defaultSettings } from '../../../open-points/default-settings.ts'
import { admitted } from './admitted.ts'
import { Gate } from './gate.ts'
import { GateThread } from './gate-thread.ts'

beforeAll(loadParser)
const gate = new Gate('public')
afterAll(() => gate.close())
afterEach(() => vi.restoreAllMocks())

/** Whether the thread was asked for the second of two statements; its admission must be that of the thread. */
async function asksAgain(first: string, second: string): Promise<boolean> {
  await gate.admit(first, defaultSettings)
  const asked = vi.spyOn(GateThread.prototype, 'admit')
  const [own] = await gate.admit(second, defaultSettings)
  const [expected] = admitted(second, defaultSettings, 'public')
  // places of the first statement
  expect({ ...own, parameters: undefined }).toEqual({ ...expected, parameters: undefined })
  return asked.mock.calls.length > 0
}

describe('the gate asks its thread', () => {
  test.each([
    [
      `SELECT * FROM v_experiments WHERE id <> 'a' LIMIT 10`,
      `SELECT * FROM v_experiments WHERE id <> 'longer' LIMIT 10`,
    ],
    [
      `SELECT e.id FROM v_experiments e WHERE id IN ('a', 'b') AND 1 > 0`,
      `SELECT e.id FROM v_experiments e WHERE id IN ('cc', 'd') AND 7 > 4`,
    ],
    [
      `SELECT * FROM v_formulas WHERE last_updated_at > '2025-01-01' OFFSET 1`,
      `SELECT * FROM v_formulas WHERE last_updated_at > 'now' OFFSET 12`,
    ],
  ])('once for %s', async (first, second) => {
    expect(await asksAgain(first, second)).toBe(false)
  })

  test.each([
    ['SELECT * FROM v_experiments LIMIT 10', 'SELECT * FROM v_experiments LIMIT 11'],
    [`SELECT 'a' FROM v_experiments`, `SELECT 'b' FROM v_experiments`],
    ['SELECT id, name FROM v_experiments ORDER BY 1', 'SELECT id, name FROM v_experiments ORDER BY 2'],
    [
      `SELECT * FROM v_quantities WHERE last_updated_at > 'today'`,
      `SELECT * FROM v_quantities WHERE last_updated_at > '2025-01-01'`,
    ],
    [`SELECT * FROM v_units WHERE 1 > 0`, 'SELECT * FROM v_quantities WHERE 1.5 > 0'],
  ])('again for %s and %s', async (first, second) => {
    await gate.admit(first, defaultSettings).catch(() => {})
    expect(await asksAgain('SELECT 1 FROM v_quantities', second)).toBe(true)
  })

  test('again with other settings', async () => {
    const statement = 'SELECT * FROM v_quantities WHERE id > 0'
    await gate.admit(statement, defaultSettings)
    const asked = vi.spyOn(GateThread.prototype, 'admit')
    await gate.admit(statement, { ...defaultSettings })
    expect(asked).toHaveBeenCalledOnce()
  })

  test('again for a statement that it refused', async () => {
    const [first, second] = [1, 2].map((n) => `SELECT * FROM pg_authid WHERE oid > ${n}`)
    for (const statement of [first!, second!])
      await expect(gate.admit(statement, defaultSettings)).rejects.toThrow('does not exist')
  })
})

import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { defaultSettings } from '../../../open-points/default-settings.ts'
import { Gate } from './gate.ts'
import { GateThread } from './gate-thread.ts'

const gate = new Gate('public')
afterAll(() => gate.close())
afterEach(() => vi.restoreAllMocks())

test('the gate asks its thread once for a statement under the default settings', async () => {
  const statement = 'SELECT * FROM v_quantities WHERE id > 0'
  const first = await gate.admit(statement, defaultSettings)
  const asked = vi.spyOn(GateThread.prototype, 'admit')
  expect(await gate.admit(statement, defaultSettings)).toEqual(first)
  expect(asked).not.toHaveBeenCalled()
  await gate.admit(statement, { ...defaultSettings })
  expect(asked).toHaveBeenCalledOnce()
})

test('the gate refuses a statement each time', async () => {
  for (let n = 0; n < 2; n++)
    await expect(gate.admit('SELECT * FROM pg_authid', defaultSettings)).rejects.toThrow('does not exist')
})

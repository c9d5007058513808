import { Worker } from 'node:worker_threads'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { defaultSettings } from '../../../open-points/settings.ts'
import { StatementTimeout } from '../../../statement.ts'
import { Gate } from './gate.ts'

const gate = new Gate('public', 60_000)
const asked = (settings = defaultSettings) => ({ settings, signal: new AbortController().signal })
afterAll(() => gate.close())
afterEach(() => vi.restoreAllMocks())

test('the gate asks its thread once for a statement under the default settings', async () => {
  const statement = 'SELECT * FROM v_quantities WHERE id > 0'
  const first = await gate.admit(statement, asked())
  const thread = vi.spyOn(Worker.prototype, 'postMessage')
  expect(await gate.admit(statement, asked())).toEqual({ ...first, ms: 0 })
  expect(thread).not.toHaveBeenCalled()
  await gate.admit(statement, asked({ ...defaultSettings }))
  expect(thread).toHaveBeenCalledOnce()
})

test('the gate refuses a statement each time', async () => {
  for (let n = 0; n < 2; n++)
    await expect(gate.admit('SELECT * FROM pg_authid', asked())).rejects.toThrow('does not exist')
})

test('the gate gives up a statement at the time limit, and admits those behind it', async () => {
  const own = new Gate('public', 60_000)
  // a megabyte takes the parser longer than a millisecond
  const long = `SELECT ${'1, '.repeat(300_000)} 1`
  const late = own.admit(long, { ...asked(), limitShiftMs: -59_999 })
  const behind = own.admit('SELECT 1', asked())
  await expect(late).rejects.toBeInstanceOf(StatementTimeout)
  expect((await behind).statements).toHaveLength(1)
  await own.close()
})

test('the gate goes on after a statement that breaks the parser', async () => {
  const deep = `SELECT ${'1+'.repeat(400_000)}1`
  const broken = gate.admit(deep, asked())
  const behind = gate.admit('SELECT 2', asked())
  await expect(broken).rejects.toThrow('nested too deeply')
  expect((await behind).statements).toHaveLength(1)
})

test('a closed gate refuses the statement in its thread and those that wait', async () => {
  const own = new Gate('public', 60_000)
  const all = ['SELECT 3', 'SELECT 4'].map((statement) => own.admit(statement, asked()))
  const outcomes = Promise.allSettled(all)
  await own.close()
  for (const outcome of await outcomes)
    expect(outcome).toMatchObject({ reason: { message: 'The server is closing.' } })
})

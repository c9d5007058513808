import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { setup, teardown } from '../../../mock/msw/global-setup.ts'

beforeAll(setup)
afterAll(teardown)

/**
 * A test worker that sends a statement with a variant of its own. It reports whether it started an engine: a slow machine
 * may start a second one, so the number of threads is not compared.
 */
const worker = (shape: string) => `
  let hasEngine = false
  process.on('worker', () => { hasEngine = true })
  const { createMock } = await import(${JSON.stringify(new URL('../../../dist/mock/msw/index.js', import.meta.url).href)})
  const mock = createMock({ token: 't', variants: { 'rows.shape': '${shape}' } })
  const ask = async (statement) => (await mock.fetch('https://any.example/external/v1/statements/', {
    method: 'POST',
    headers: { authorization: 'Bearer t', 'content-type': 'application/json' },
    body: JSON.stringify({ statement }),
  })).json()
  const { data } = await ask('SELECT id FROM v_experiments LIMIT 1')
  const { status } = await ask('SELECT * FROM v_unknown')
  const count = async () => (await ask('SELECT id FROM v_timeseries_data')).data.length
  const before = await count()
  await mock.clock.advance('4h')
  const isLater = await count() > before
  console.log(JSON.stringify({ hasEngine, isArray: Array.isArray(data[0]), rows: data.length, message: status.message, isLater }))
  await mock.close()`

const run = async (shape: string) => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', worker(shape)])
  return JSON.parse(stdout) as unknown
}

test('mocks in other processes use the engine of the test run, each with its own variants and time', async () => {
  const found = await Promise.all([run('array'), run('object')])
  const message = 'relation "v_unknown" does not exist'
  expect(found).toEqual([
    { hasEngine: false, isArray: true, rows: 1, message, isLater: true },
    { hasEngine: false, isArray: false, rows: 1, message, isLater: true },
  ])
})

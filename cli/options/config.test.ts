import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { withConfig } from './config.ts'
import { addressOf } from '../server/start-server.ts'
import { type ServerFlags, serverOptions } from '../server/server-options.ts'
import { CommandError, explain } from '../exit.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'config-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
  vi.unstubAllEnvs()
})

/** The options that `serve` would start a server with. */
async function optionsOf(args: string[], config?: unknown): Promise<ServerFlags> {
  const file = join(folder, 'config.json')
  if (config !== undefined) writeFileSync(file, typeof config === 'string' ? config : JSON.stringify(config))
  let options: ServerFlags | undefined
  const command = withConfig(serverOptions('127.0.0.1:4010'))
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
    .action((given: ServerFlags) => {
      options = given
    })
  await command.parseAsync(config === undefined ? args : ['--config', file, ...args], { from: 'user' })
  return options!
}

test('a flag takes precedence over the environment, the environment over the config file, the file over the default', async () => {
  const config = { seed: 2, scale: 0.02, timeLimit: '2s' }
  vi.stubEnv('BIOPROCESS_SQL_SEED', '3')
  vi.stubEnv('BIOPROCESS_SQL_SCALE', '0.03')
  expect(await optionsOf(['--seed', '4'], config)).toMatchObject({
    seed: 4,
    scale: 0.03,
    timeLimit: 2000,
    sql: 'any',
  })
})

test('the config file accepts every kind of option', async () => {
  const config = {
    token: ['a', 'b'],
    basePath: '/plant-1',
    sql: 'documented',
    workers: 2,
    skipInvalid: true,
    variants: { 'rows.shape': 'array' },
  }
  expect(await optionsOf([], config)).toMatchObject(config)
  expect((await optionsOf([], { token: 'a', skipInvalid: false })).token).toEqual(['a'])
  expect((await optionsOf(['--token', 'mine'], { token: ['a'] })).token).toEqual(['mine'])
})

test('the environment accepts booleans and durations, and a flag overrides them', async () => {
  vi.stubEnv('BIOPROCESS_SQL_SKIP_INVALID', 'true')
  vi.stubEnv('BIOPROCESS_SQL_TIME_LIMIT', '2s')
  expect(await optionsOf([])).toMatchObject({ skipInvalid: true, timeLimit: 2000 })
  vi.stubEnv('BIOPROCESS_SQL_SKIP_INVALID', '0')
  expect((await optionsOf([])).skipInvalid).toBeUndefined()
  vi.stubEnv('BIOPROCESS_SQL_SKIP_INVALID', 'constructor')
  await expect(optionsOf([])).rejects.toThrow('BIOPROCESS_SQL_SKIP_INVALID is "constructor". ')
  vi.stubEnv('BIOPROCESS_SQL_SKIP_INVALID', '0')
  vi.stubEnv('BIOPROCESS_SQL_TIME_LIMIT', '40000m')
  await expect(optionsOf([])).rejects.toThrow('Write at most 2147483647ms, which are 24 days.')
  vi.stubEnv('BIOPROCESS_SQL_TIME_LIMIT', '2')
  await expect(optionsOf([])).rejects.toThrow('BIOPROCESS_SQL_TIME_LIMIT is "2". Write a positive number')
  expect(await optionsOf(['--time-limit', '3s'])).toMatchObject({ timeLimit: 3000 })
})

test('the environment names the database, and no message repeats a secret of it', async () => {
  vi.stubEnv('BIOPROCESS_SQL_DATABASE', 'postgres://reader@db/plant')
  expect((await optionsOf([])).database).toBe('postgres://reader@db/plant')
  await expect(optionsOf(['--data', 'mine'])).rejects.toThrow(/^--database and --data exclude each other/)
  vi.stubEnv('BIOPROCESS_SQL_CLIENT', 'nocolonSECRET')
  await expect(optionsOf([])).rejects.toThrow(/^--client has no colon\. Write id:secret\.$/)
})

test('serve ignores BIOPROCESS_SQL_TOKEN', async () => {
  vi.stubEnv('BIOPROCESS_SQL_TOKEN', 'production')
  expect((await optionsOf([])).token).toBeUndefined()
})

test.each([
  [{ timelimit: '2s' }, /unknown option "timelimit" \(did you mean "timeLimit"\?\)/],
  [{ variant: {} }, /unknown option "variant" \(did you mean "variants"\?\)/],
  [{ config: 'x' }, /unknown option "config"/],
  [{ nonsense: 1, seeed: 1 }, /"nonsense", "seeed" \(did you mean "seed"\?\)\. The options are listen, /],
  [{ timeLimit: '2 hours' }, /timeLimit is "2 hours"\. Write a positive number with a unit/],
  [{ workers: 100_000 }, /workers is 100000. Write a whole number from 1 to 64\./],
  [{ workers: 0 }, /workers is 0. Write a whole number from 1 to 64\./],
  [{ seed: 1.5 }, /seed is 1.5. Write a whole number/],
  [{ sql: 'all' }, /sql is "all". Allowed choices are any, documented/],
  [{ seed: null }, /seed is null. Write a string or a number/],
  [{ client: { a: 'SECRET' } }, /client cannot be used\. Write a string or a number/],
  [{ listen: ['a', 'b'] }, /listen is \["a","b"\]. Write a string or a number/],
  [{ skipInvalid: 'yes' }, /skipInvalid is "yes". Write true or false/],
  [{ variants: ['rows.shape'] }, /"variants" must be an object/],
  [{ variants: { 'rows.shape': 1 } }, /"variants" must be an object/],
  [{ data: 'plant', seed: 3 }, /--data and --seed exclude each other/],
  ['{', /is not a JSON object: the text ends too early at column 2/],
  ['[]', /is not a JSON object/],
])('rejects the config file %j', async (config, message) => {
  const error = await optionsOf([], config).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(CommandError)
  expect(error).toMatchObject({ exitCode: 2, message: expect.stringMatching(message) })
})

test('an unknown key cannot control the terminal', async () => {
  const error = await optionsOf([], { '\u001b[2Jx': 1 }).catch((reason: unknown) => reason)
  expect(explain(error).sentence).toContain('unknown option "\\u001b[2Jx". The options')
})

test('rejects a config file that does not exist', async () => {
  await expect(optionsOf(['--config', join(folder, 'none.json')])).rejects.toThrow(
    /Cannot read the config file .* \(ENOENT\)\. Check its path\./,
  )
})

test('a config file may name its JSON Schema in $schema', async () => {
  expect(await optionsOf([], { $schema: './serve.schema.json', seed: 2 })).toMatchObject({ seed: 2 })
})

test('--port is --listen with the default host, from a flag, the environment or a file', async () => {
  expect(addressOf(await optionsOf([]))).toBe('127.0.0.1:4010')
  expect(addressOf(await optionsOf(['--listen', '0.0.0.0:1']))).toBe('0.0.0.0:1')
  expect(addressOf(await optionsOf(['--port', '8080']))).toBe('127.0.0.1:8080')
  expect(addressOf(await optionsOf([], { port: 8081 }))).toBe('127.0.0.1:8081')
  await expect(optionsOf(['--port', '1', '--listen', '127.0.0.1:2'])).rejects.toThrow('cannot be used with')
})

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { withConfig } from './config.ts'
import { addressOf, type ServeFlags, withServerOptions } from './commands/serve.ts'
import { CommandError } from './exit.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'config-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
  vi.unstubAllEnvs()
})

/** What a server would be started with. */
async function flagsOf(args: string[], config?: unknown): Promise<ServeFlags> {
  const file = join(folder, 'config.json')
  if (config !== undefined) writeFileSync(file, typeof config === 'string' ? config : JSON.stringify(config))
  let flags: ServeFlags | undefined
  const command = withConfig(withServerOptions(new Command('serve'), '127.0.0.1:4010'))
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
    .action((given: ServeFlags) => {
      flags = given
    })
  await command.parseAsync(config === undefined ? args : ['--config', file, ...args], { from: 'user' })
  return flags!
}

test('a flag is stronger than the environment, that than the file, that than the default', async () => {
  const config = { seed: 2, scale: 0.02, timeLimit: '2s' }
  vi.stubEnv('BIOPROCESS_SQL_SEED', '3')
  vi.stubEnv('BIOPROCESS_SQL_SCALE', '0.03')
  expect(await flagsOf(['--seed', '4'], config)).toMatchObject({
    seed: 4,
    scale: 0.03,
    timeLimit: 2000,
    workers: 1,
  })
})

test('every kind of option is read as the flag reads it', async () => {
  const config = {
    token: ['a', 'b'],
    basePath: '/plant-1',
    sql: 'documented',
    workers: 2,
    skipInvalid: true,
    variants: { 'rows.shape': 'array' },
  }
  expect(await flagsOf([], config)).toMatchObject(config)
  expect((await flagsOf([], { token: 'a', skipInvalid: false })).token).toEqual(['a'])
  expect((await flagsOf(['--token', 'mine'], { token: ['a'] })).token).toEqual(['mine'])
})

test('a variable is read as its flag is', async () => {
  vi.stubEnv('BIOPROCESS_SQL_SKIP_INVALID', 'true')
  vi.stubEnv('BIOPROCESS_SQL_TIME_LIMIT', '2s')
  expect(await flagsOf([])).toMatchObject({ skipInvalid: true, timeLimit: 2000 })
  vi.stubEnv('BIOPROCESS_SQL_SKIP_INVALID', '0')
  expect((await flagsOf([])).skipInvalid).toBeUndefined()
  vi.stubEnv('BIOPROCESS_SQL_TIME_LIMIT', '2')
  await expect(flagsOf([])).rejects.toThrow('BIOPROCESS_SQL_TIME_LIMIT is "2". Write a positive number')
  expect(await flagsOf(['--time-limit', '3s'])).toMatchObject({ timeLimit: 3000 })
})

test('a token of another service is not taken from the environment', async () => {
  vi.stubEnv('BIOPROCESS_SQL_TOKEN', 'production')
  expect((await flagsOf([])).token).toBeUndefined()
})

test.each([
  [{ timelimit: '2s' }, /there is no option "timelimit". Did you mean "timeLimit"\?/],
  [{ variant: {} }, /there is no option "variant". Did you mean "variants"\?/],
  [{ config: 'x' }, /there is no option "config"/],
  [{ nonsense: 1, seeed: 1 }, /"nonsense"\. The options are: listen, .*"seeed". Did you mean "seed"/],
  [{ timeLimit: '2 hours' }, /timeLimit is "2 hours"\. Write a positive number with its unit/],
  [{ seed: 1.5 }, /seed is 1.5. Write a whole number/],
  [{ sql: 'all' }, /sql is "all". Allowed choices are any, documented/],
  [{ seed: null }, /seed is null. Write a text or a number/],
  [{ listen: ['a', 'b'] }, /listen is \["a","b"\]. Write a text or a number/],
  [{ skipInvalid: 'yes' }, /skipInvalid is "yes". Write true or false/],
  [{ variants: ['rows.shape'] }, /variants has to be an object/],
  [{ variants: { 'rows.shape': 1 } }, /variants has to be an object/],
  [{ data: 'plant', seed: 3 }, /--data can not be used with --seed/],
  ['{', /is not a JSON object/],
  ['[]', /is not a JSON object/],
])('%j is refused with a sentence', async (config, message) => {
  const error = await flagsOf([], config).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(CommandError)
  expect(error).toMatchObject({ exitCode: 2, message: expect.stringMatching(message) })
})

test('a file that is not there is refused with a sentence', async () => {
  await expect(flagsOf(['--config', join(folder, 'none.json')])).rejects.toThrow('can not be read (ENOENT)')
})

test('a config file may name its JSON Schema', async () => {
  expect(await flagsOf([], { $schema: './serve.schema.json', seed: 2 })).toMatchObject({ seed: 2 })
})

test('--port is --listen with the default host, from a flag, the environment or a file', async () => {
  expect(addressOf(await flagsOf([]))).toBe('127.0.0.1:4010')
  expect(addressOf(await flagsOf(['--listen', '0.0.0.0:1']))).toBe('0.0.0.0:1')
  expect(addressOf(await flagsOf(['--port', '8080']))).toBe('127.0.0.1:8080')
  expect(addressOf(await flagsOf([], { port: 8081 }))).toBe('127.0.0.1:8081')
  await expect(flagsOf(['--port', '1', '--listen', '127.0.0.1:2'])).rejects.toThrow('cannot be used with')
})

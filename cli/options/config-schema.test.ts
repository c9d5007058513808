import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { Command } from 'commander'
import { afterAll, expect, test, vi } from 'vitest'
import { conformanceCommand } from '../commands/conformance.ts'
import { serveCommand } from '../commands/serve.ts'
import { configSchema } from './config-schema.ts'

const folder = mkdtempSync(join(tmpdir(), 'config-schema-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The options that a command gets from a config file; the message of its error if it rejects the file. */
async function read(command: Command, config: unknown): Promise<Record<string, unknown> | string> {
  const file = join(folder, 'config.json')
  writeFileSync(file, JSON.stringify(config))
  let options: Record<string, unknown> = {}
  command.exitOverride().action((given: Record<string, unknown>) => {
    options = given
  })
  try {
    await command.parseAsync(['--config', file], { from: 'user' })
    return options
  } catch (error) {
    return (error as Error).message
  }
}

const accepts = (command: Command) =>
  new Ajv2020({ strict: true, allowUnionTypes: true }).compile(configSchema(command))

test.each([
  [{ baseUrl: 'https://data.example.org', auth: false, wait: '60s', maxRows: 500 }],
  [{ header: { 'X-Api-Key': 'k:1' } }],
  [{ header: ['X-Api-Key: k', 'X-Plant: 2'] }],
  [{ report: { json: 'a.json', junit: 'a.xml' }, only: ['delta.*'], skip: 'time.*' }],
  [{ acceptNotExercised: { 'time.limit': 'no slow statement' }, strict: true, evidence: 'full' }],
  [{ $schema: './conformance.json', concurrency: '2' }],
])('conformance and its schema accept the config file %j', async (config) => {
  const validate = accepts(conformanceCommand())
  // a number may be written as a text, which the schema permits for variables only
  const plain = 'concurrency' in config ? { ...config, concurrency: 2 } : config
  expect([validate(plain), validate.errors]).toEqual([true, null])
  expect(await read(conformanceCommand(), config)).toBeTypeOf('object')
})

test('a config file of conformance sets lists, pairs, reports and negated flags', async () => {
  const config = {
    auth: false,
    header: { 'X-Api-Key': 'k:1' },
    report: { json: '/tmp/a.json' },
    only: 'delta.*',
    wait: '1m',
  }
  expect(await read(conformanceCommand(), config)).toMatchObject({
    auth: false,
    header: { 'X-Api-Key': 'k:1' },
    report: [{ format: 'json', file: '/tmp/a.json' }],
    only: ['delta.*'],
    wait: 60_000,
  })
})

test.each([
  [{ baseURL: 'x' }, /unknown option "baseURL" \(did you mean "baseUrl"\?\)/],
  [{ wait: '60' }, /wait is "60". Write a positive number with a unit/],
  [{ auth: 'no' }, /auth is "no". Write true or false/],
  [{ variants: {} }, /unknown option "variants"/],
  [{ list: true }, /unknown option "list"/],
  [{ evidence: 'none' }, /evidence is "none"/],
  [{ maxRows: 0 }, /maxRows is 0/],
  [{ header: { a: 1 } }, /header cannot be used. Write a string or a list of strings/],
])('conformance and its schema reject the config file %j', async (config, message) => {
  expect(accepts(conformanceCommand())(config)).toBe(false)
  expect(await read(conformanceCommand(), config)).toMatch(message)
})

test('a config file reads environment variables, and names one that is not set', async () => {
  vi.stubEnv('STAGING_TOKEN', 'secret')
  vi.stubEnv('STAGING_ROWS', '50')
  const config = { token: '${STAGING_TOKEN}', header: ['X: a-${STAGING_TOKEN}'], maxRows: '${STAGING_ROWS}' }
  expect(accepts(conformanceCommand())(config)).toBe(true)
  expect(await read(conformanceCommand(), config)).toMatchObject({
    token: 'secret',
    header: { X: 'a-secret' },
    maxRows: 50,
  })
  vi.unstubAllEnvs()
  expect(await read(conformanceCommand(), config)).toMatch(
    /config\.json reads the environment variable STAGING_TOKEN, which is not set\. Set it, or write the value\./,
  )
})

test('conformance reads its options from the environment, below the flags', async () => {
  vi.stubEnv('BIOPROCESS_SQL_MAX_ROWS', '20')
  vi.stubEnv('BIOPROCESS_SQL_NO_AUTH', 'true')
  expect(await read(conformanceCommand(), {})).toMatchObject({ maxRows: 20, auth: false })
  vi.stubEnv('BIOPROCESS_SQL_NO_AUTH', 'false')
  expect(await read(conformanceCommand(), {})).toMatchObject({ auth: true })
  vi.unstubAllEnvs()
})

test('the schema of serve knows the variants of every setting', () => {
  const validate = accepts(serveCommand())
  expect(validate({ variants: { 'rows.shape': 'array' }, live: 600, scale: 0.1, token: ['a'] })).toBe(true)
  expect(validate({ live: true })).toBe(true)
  expect(validate({ variants: { 'rows.shape': 'arrays' } })).toBe(false)
})

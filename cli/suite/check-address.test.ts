import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { conformanceCommand } from '../commands/conformance.ts'
import { checkAddress } from './check-address.ts'

const folder = mkdtempSync(join(tmpdir(), 'address-'))
afterAll(() => rmSync(folder, { recursive: true }))
afterEach(() => vi.unstubAllEnvs())

/** Checks the options of a command line, its environment and its config file. */
async function check(words: string[], environment: Record<string, string> = {}, config?: object) {
  const file = join(folder, 'gate.json')
  writeFileSync(file, JSON.stringify(config ?? {}))
  vi.unstubAllEnvs()
  for (const name of ['BASE_URL', 'TOKEN']) vi.stubEnv(`BIOPROCESS_SQL_${name}`, undefined)
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(`BIOPROCESS_SQL_${name}`, value)
  const command = conformanceCommand().action((_, parsed) => checkAddress(parsed))
  await command.parseAsync([...words, ...(config ? ['--config', file] : [])], { from: 'user' })
}

const usage = (message: RegExp) =>
  expect.objectContaining({ exitCode: 2, message: expect.stringMatching(message) })

test.each([
  ['no option', [], {}, undefined],
  ['a token', ['--token', 't'], { TOKEN: 't' }, undefined],
  ['a config file without an address', [], {}, { wait: '60s' }],
])('a run with %s and without an address or --self is refused', async (_, words, environment, config) => {
  await expect(check(words, environment, config)).rejects.toEqual(
    usage(/missing\. Give --base-url.*give --self\./),
  )
})

test.each([
  ['option', ['--base-url', 'http://h.example'], {}, undefined],
  ['variable', [], { BASE_URL: 'http://h.example' }, undefined],
  ['config file', [], {}, { baseUrl: 'http://h.example' }],
])(
  'an address in the %s stands above --self, and options of a service go with it',
  async (_, words, environment, config) => {
    await check(['--self', '--wait', '1s', '--token', 't', ...words], environment, config)
  },
)

test('the token of the environment stands above that of a config file', async () => {
  vi.stubEnv('BIOPROCESS_SQL_TOKEN', 'of-the-environment')
  const file = join(folder, 'token.json')
  writeFileSync(file, JSON.stringify({ token: 'of-the-file' }))
  const tokens: unknown[] = []
  const command = conformanceCommand().action(({ token }) => void tokens.push(token))
  await command.parseAsync(['--config', file], { from: 'user' })
  expect(tokens).toEqual(['of-the-environment'])
})

test('--self alone is accepted', () => check(['--self', '--only', 'http.*']))

test.each([
  ['--token', 't'],
  ['--token-command', 'get'],
  ['--expired-token', 't'],
  ['--no-auth'],
  ['--header', 'a: b'],
  ['--ca', 'file'],
  ['--proxy', 'http://h.example'],
  ['--wait', '1s'],
  ['--baseline', 'file'],
  ['--write-baseline', 'file'],
  ['--claim', 'file'],
  ['--target-name', 'Acme'],
  ['--profile-out', 'file'],
])('%s is refused where the reference server is judged', async (...words) => {
  await expect(check(['--self', ...words])).rejects.toEqual(
    usage(new RegExp(`^${words[0]} .*leave out ${words[0]}`)),
  )
})

test('a variable of a service is refused where the reference server is judged', async () => {
  await expect(check(['--self'], { WAIT: '60s' })).rejects.toEqual(usage(/^--wait concerns/))
  await expect(check(['--self'], { TOKEN: '' })).rejects.toEqual(usage(/^BIOPROCESS_SQL_TOKEN concerns/))
})

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { program } from '../program.ts'

const folder = mkdtempSync(join(tmpdir(), 'empty-'))
const file = join(folder, 'config.json')
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(file, { force: true })
})

const run = async (...words: string[]) => (await program(words[0])).parseAsync(words, { from: 'user' })

test.each([
  ['conformance', '--base-url', ''],
  ['conformance', '--self', '--base-url', ' '],
  ['conformance', '--self', '--header', ''],
  ['serve', '--ready-file', ''],
  ['serve', '--data', ''],
  ['record', '--base-url', 'http://127.0.0.1:1', '--no-auth', '--out', ''],
  ['traffic', 'seen.har', '--base-url', ''],
  ['fixtures', 'export', '--format', 'csv', '--out', ''],
  ['fixtures', 'load', '--database', ''],
])('an option without a text is refused: %s %s %s', async (...words) => {
  await expect(run(...words)).rejects.toMatchObject({ exitCode: 2 })
})

test('the message names the option, and the remedy', async () => {
  await expect(run('serve', '--ready-file', '')).rejects.toThrow(
    '--ready-file is empty. Set the variable that the option, the environment or the config file takes its value from, or leave it out.',
  )
})

const withAndWithout = [['alone'], ['with', '--self']]

test.each(withAndWithout)('an empty address in the environment is refused %s %s', async (_, ...self) => {
  vi.stubEnv('BIOPROCESS_SQL_BASE_URL', '')
  await expect(run('conformance', ...self)).rejects.toThrow('--base-url is empty.')
})

test.each(withAndWithout)('an empty address in a config file is refused %s %s', async (_, ...self) => {
  writeFileSync(file, '{"baseUrl": " "}')
  await expect(run('conformance', '--config', file, ...self)).rejects.toThrow('--base-url is empty.')
})

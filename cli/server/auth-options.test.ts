import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { serverAuth } from './auth-options.ts'

test('each --token of a server may name a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'token-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'token.txt')
  writeFileSync(file, 'from-a-file\n')
  expect(serverAuth({ token: [`@${file}`, 'plain'] })).toEqual({ tokens: ['from-a-file', 'plain'] })
})

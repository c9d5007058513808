import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { commitOf } from './commit.ts'

const folder = mkdtempSync(join(tmpdir(), 'commit-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('the commit is that of the clone itself, and says whether files are changed', () => {
  expect(commitOf(folder)).toBeUndefined()
  const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.org', '-c', 'commit.gpgsign=false']
  const git = (...args: string[]) => execFileSync('git', [...identity, ...args], { cwd: folder })
  git('init', '--quiet')
  mkdirSync(join(folder, 'node_modules'))
  writeFileSync(join(folder, 'file'), 'a')
  git('add', 'file')
  git('commit', '--quiet', '--no-verify', '--message', 'first')
  git('tag', 'v1')
  expect(commitOf(folder)).toMatch(/^[0-9a-f]{7,}$/)
  expect(commitOf(join(folder, 'node_modules'))).toBeUndefined()
  writeFileSync(join(folder, 'file'), 'b')
  expect(commitOf(folder)).toMatch(/^[0-9a-f]{7,}-dirty$/)
})

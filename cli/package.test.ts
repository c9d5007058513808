import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { commitOf, nodeProblem } from './package.ts'

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

test.each(['12.22.12', '18.20.8', '20.9.0', '20.18.3'])('Node %s is too old', (version) => {
  expect(nodeProblem(version)).toBe(
    `This is Node ${version}, but Node 20.19 or later is needed. Install it and run the command again.`,
  )
})

test.each(['20.19.0', '20.20.1', '22.1.0', '100.0.0'])('Node %s is recent enough', (version) => {
  expect(nodeProblem(version)).toBeUndefined()
})

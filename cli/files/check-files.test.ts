import { linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { compareCommand } from '../commands/compare.ts'
import { conformanceCommand } from '../commands/conformance.ts'
import { execCommand } from '../commands/exec.ts'
import { matrixCommand } from '../commands/matrix.ts'
import { serveCommand } from '../commands/serve.ts'
import { checkFiles } from './check-files.ts'

const dir = mkdtempSync(join(tmpdir(), 'files-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))
const at = (name: string) => join(dir, name)
const [old, claims] = [at('old.json'), at('claims')]
writeFileSync(old, '{}')
symlinkSync(old, at('symlink.json'))
linkSync(old, at('link.json'))
mkdirSync(claims)
writeFileSync(join(claims, 'acme.json'), '{}')
symlinkSync(dir, at('folder'))

const commands = {
  conformance: conformanceCommand,
  compare: compareCommand,
  matrix: matrixCommand,
  serve: serveCommand,
  exec: execCommand,
}

function check(name: keyof typeof commands, ...words: string[]): void {
  const command = commands[name]()
  command.args = command.parseOptions(words).operands
  checkFiles(command)
}

test.each([
  ['conformance', '--report', `json=${at('x')}`, '--claim', at('x')],
  ['conformance', '--report', `json=${at('x')}`, '--profile-out', at('folder/x')],
  ['conformance', '--report', 'json=-', '--claim', '-'],
  ['conformance', '--report', `json=${at('x')}`, '--report', `html=${at('./x')}`],
] as const)('two outputs cannot share a file (case %#)', (name, ...words) => {
  expect(() => check(name, ...words)).toThrow(/ can hold only one of --.* and --.*\. Name another file\./)
})

test.each([
  ['conformance', '--report', `json=${old}`, '--baseline', old],
  ['conformance', '--report', `json=${at('symlink.json')}`, '--config', old],
  ['conformance', '--report', `json=${at('link.json')}`, '--token', `@${old}`],
  ['conformance', '--write-baseline', old, '--config', old],
  ['conformance', '--claim', old, '--expired-token', `@${old}`],
  ['serve', '--ready-file', old, '--profile', old],
  ['serve', '--ready-file', old, '--token', `@${old}`],
  ['exec', '--report', `json=${old}`, '--baseline', old],
  ['compare', old, at('other.json'), '--out', at('symlink.json')],
  ['matrix', claims, '--out', join(claims, 'acme.json')],
  ['matrix', claims, '--badges', claims],
] as const)('an output cannot be an input (case %#)', (name, ...words) => {
  expect(() => check(name, ...words)).toThrow(
    /^--.* would overwrite .*, which .* reads\. Name another file\./,
  )
})

test.each([
  ['conformance', '--write-baseline', old, '--baseline', old],
  ['conformance', '--report', 'json=/dev/null', '--claim', '/dev/null'],
  ['conformance', '--report', `json=${at('x')}`, '--claim', at('y')],
  ['matrix', claims, '--out', join(claims, 'CLAIMS.md')],
] as const)('files that do not collide are accepted (case %#)', (name, ...words) => {
  expect(() => check(name, ...words)).not.toThrow()
})

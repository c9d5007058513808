import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { readBaseline } from '../suite/baseline.ts'
import { compareReports } from '../suite/compare-reports.ts'
import { explain } from '../exit.ts'
import { readJsonObject } from '../options/config.ts'
import { readToken } from '../service/token.ts'
import { transportOf } from '../service/transport.ts'
import { runHabitMatrix } from '../habits/run-habits.ts'

const folder = mkdtempSync(join(tmpdir(), 'input-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const pipe = join(folder, 'pipe')
execFileSync('mkfifo', [pipe])
const large = join(folder, 'large')
writeFileSync(large, '{}')
truncateSync(large, 65 * 1024 * 1024)

/** Everything that reads a file which the command line names. */
const readers: [option: string, read: (file: string) => unknown][] = [
  ['compare', (file) => compareReports([file, file], { format: 'markdown', out: '-' })],
  ['--config', (file) => readJsonObject(file, 'config file')],
  ['--profile', (file) => readJsonObject(file, 'profile')],
  ['--baseline', readBaseline],
  ['--token', (file) => readToken(`@${file}`, 'The token')],
  ['--ca', (ca) => transportOf({ ca })],
]

describe.each(readers)('the file of %s', (_, read) => {
  test.each([
    ['is a device', '/dev/null', /^Cannot read the .* \(not a regular file\)\. Copy its content to a file/],
    ['is a pipe', pipe, /^Cannot read the .* \(not a regular file\)\. Copy its content to a file/],
    ['has more than 64 MiB', large, /^Cannot read the .* \(larger than 64 MiB\)\. Name the right file\./],
  ])('is refused with a usage error if it %s', async (_kind, file, sentence) => {
    const refused = await Promise.resolve()
      .then(() => read(file))
      .then(() => ({ sentence: 'read', exitCode: 0 }), explain)
    expect(refused).toEqual({ sentence: expect.stringMatching(sentence), exitCode: 2 })
  })
})

test('a byte order mark at the start of a file is no part of its text', () => {
  const file = join(folder, 'marked.json')
  writeFileSync(file, '\uFEFF{"scale": 1}')
  expect(readJsonObject(file, 'config file')).toEqual({ scale: 1 })
})

test('a token that Windows PowerShell wrote, in UTF-16 and with a line end of Windows, is read', () => {
  const file = join(folder, 'utf16.txt')
  writeFileSync(file, '\uFEFFsecret\r\n', 'utf16le')
  expect(readToken(`@${file}`, 'The token')).toBe('secret')
})

test('a token that is the name of a file is refused, because its @ was forgotten', () => {
  const file = join(folder, 'token.txt')
  writeFileSync(file, 'secret')
  expect(() => readToken(file, 'The token')).toThrow(
    `The token is the name of a file. Write @${file} to read it.`,
  )
  // longer than a path may be
  const long = 'a'.repeat(9000)
  expect(readToken(long, 'The token')).toBe(long)
})

test('a baseline of exec --habits names no option that exec lacks', () => {
  const file = join(folder, 'habits.json')
  writeFileSync(file, '{}')
  const command = () => runHabitMatrix(['true'], { baseline: file } as never)
  return expect(command()).rejects.toThrow(
    /is not a baseline: .* Check its path, and write it as \{"contract": "v1"/,
  )
})

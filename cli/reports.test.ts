import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { reportFlag } from './report-flag.ts'
import { openReports } from './reports.ts'

const dir = mkdtempSync(join(tmpdir(), 'reports-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const header = {
  suite: { name: 'bioprocess-sql-contract', version: '1.2.3' },
  contract: { version: 'v1' },
  target: { baseUrl: 'https://data.example.org' },
}

test('a file may hold = and be given once', () => {
  const flags = reportFlag('junit=-', reportFlag('json=a=b.json'))
  expect(flags).toEqual([
    { format: 'json', file: resolve('a=b.json') },
    { format: 'junit', file: '-' },
  ])
  expect(() => reportFlag('html=./a=b.json', flags)).toThrow(/can hold one report/)
  expect(() => reportFlag('html=-', flags)).toThrow(/Stdout can hold one report/)
})

test.each(['json', 'json=', '=file', 'pdf=file', 'toString=file', ''])('%j is no report', (text) => {
  expect(() => reportFlag(text)).toThrow(/--report json=FILE, with json or one of .*ndjson/)
})

test('what an earlier run left is gone before the run, and a stream has its header', () => {
  const [json, ndjson] = [join(dir, 'a.json'), join(dir, 'a.ndjson')]
  writeFileSync(json, '{"verdict":"conformant"}')
  writeFileSync(ndjson, 'a whole stream')
  const reports = openReports(
    [
      { format: 'json', file: json },
      { format: 'ndjson', file: ndjson },
    ],
    header,
  )
  expect(readFileSync(json, 'utf8')).toBe('')
  expect(JSON.parse(readFileSync(ndjson, 'utf8'))).toMatchObject({ type: 'header', ...header })
  reports.close()
})

test('a file that can not be written to is told before the run', () => {
  expect(() => openReports([{ format: 'html', file: join(dir, 'no/such/a.html') }], header)).toThrow(
    /can not be written to .*a\.html \(ENOENT\)\. Name a file in a folder that exists/,
  )
})

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { report, result } from '../../conformance/reports/report.test-helper.ts'
import { EXIT } from '../exit.ts'
import { reportOption } from '../options/report.ts'
import { openReports } from './reports.ts'

const dir = mkdtempSync(join(tmpdir(), 'reports-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const header = {
  suite: { name: 'bioprocess-sql-contract', version: '1.2.3' },
  contract: { version: 'v1' },
  target: { baseUrl: 'https://data.example.org' },
}

test('--report accepts a file name with =', () => {
  const options = reportOption('junit=-', reportOption('json=a=b.json'))
  expect(options).toEqual([
    { format: 'json', file: resolve('a=b.json') },
    { format: 'junit', file: '-' },
  ])
})

test.each(['json', 'json=', '=file', 'pdf=file', 'toString=file', ''])('--report rejects %j', (text) => {
  expect(() => reportOption(text)).toThrow(/FORMAT=FILE\. The formats are json, .*ndjson/)
})

test('old files stay until there is a result, which begins the streams', () => {
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
  expect(readFileSync(ndjson, 'utf8')).toBe('a whole stream')
  const judged = result('a.pass', 'REQ-SQL-3', { outcome: 'pass' })
  reports.result(judged)
  expect(readFileSync(json, 'utf8')).toBe('{"verdict":"conformant"}')
  const lines = readFileSync(ndjson, 'utf8').trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { type: 'header', ...header },
    { type: 'check', id: 'a.pass' },
  ])
  reports.publish(report([judged]))
  expect(JSON.parse(readFileSync(json, 'utf8'))).toMatchObject({ checks: [{ id: 'a.pass' }] })
})

test('a pipe that nobody reads is refused at once', () => {
  const pipe = join(dir, 'pipe')
  execFileSync('mkfifo', [pipe])
  expect(() => openReports([{ format: 'json', file: pipe }], header)).toThrow(
    /\(ENXIO\)\. Nobody reads this pipe\. Start its reader first\./,
  )
})

test('rejects a report file that cannot be written before the run', () => {
  expect(() => openReports([{ format: 'html', file: join(dir, 'no/such/a.html') }], header)).toThrow(
    /Cannot write the output to .*a\.html \(ENOENT\)\. Name a file in a writable folder/,
  )
})

test('a report that cannot be written does not prevent the others', () => {
  const good = join(dir, 'good.json')
  const reports = openReports(
    [
      { format: 'html', file: '/dev/full' },
      { format: 'json', file: good },
    ],
    header,
  )
  expect(() => reports.publish(report([]))).toThrow(
    expect.objectContaining({
      message: expect.stringMatching(/^Cannot write the output to \/dev\/full \(ENOSPC\)/),
      exitCode: EXIT.usage,
    }),
  )
  expect(JSON.parse(readFileSync(good, 'utf8'))).toMatchObject({ verdict: 'conformant' })
})

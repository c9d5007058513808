import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readReport } from '../../../conformance/index.ts'
import { runCli } from '../support/cli.ts'
import { scratch } from '../support/vendor.ts'

const folder = scratch()
afterAll(() => folder.remove())

const file = (name: string) => join(folder.dir, name)
const text = (name: string) => readFileSync(file(name), 'utf8')

test('every report format says that the target is unreachable', async () => {
  const files = ['json', 'junit', 'markdown', 'github', 'html'].flatMap((format) => [
    '--report',
    `${format}=${file(format)}`,
  ])
  const { exitCode, stdout, stderr } = await runCli(
    ['conformance', '--base-url', 'http://127.0.0.1:4', '--no-auth', '--report', 'ndjson=-'].concat(files),
  )
  expect(exitCode).toBe(4)
  const lines = stderr.trim().split('\n')
  expect(lines.filter((line) => line.startsWith('unreachable  http://127.0.0.1:4'))).toHaveLength(2)
  expect(lines.at(-1)).toMatch(/^unreachable/)
  expect(readReport(stdout, 'stdout')).toEqual(readReport(text('json'), 'json'))
  expect(text('junit')).toMatch(
    /<testsuites [^>]*errors="1"[\s\S]*<error type="unreachable" message="unreachable:/,
  )
  expect(text('markdown')).toMatch(/^# unreachable: [\s\S]*\*\*unreachable\*\*[^\n]*\n$/)
  expect(text('github')).toMatch(
    /^::error title=unreachable%3A http%3A\/\/127\.0\.0\.1%3A4::.*Nothing listens[\s\S]*^::notice title=judged%3A http%3A\/\/127\.0\.0\.1%3A4::[^\n]*\n$/m,
  )
  const { suite } = readReport(text('json'), 'json')
  expect(suite.commit).toMatch(/^[0-9a-f]{7,}(-dirty)?$/)
  expect((await runCli(['--version'])).stdout).toBe(`${suite.version} (${suite.commit})\n`)
  expect(text('markdown')).toContain(suite.commit!)
  expect(text('html')).toMatch(/^<!doctype html>[\s\S]*unreachable[\s\S]*<\/html>\n$/i)
})

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { jsonReport } from '../../conformance/reports/json.ts'
import { report, result } from '../../conformance/reports/report.test-helper.ts'
import { compareCommand } from './compare.ts'
import { explain } from '../exit.ts'

const dir = mkdtempSync(join(tmpdir(), 'compare-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))
afterEach(() => {
  process.exitCode = undefined
})

const file = (name: string, text: string): string => {
  writeFileSync(join(dir, name), text)
  return join(dir, name)
}
const good = file('good.json', jsonReport(report([result('sql.limit', 'REQ-SQL-3')])))
const bad = file(
  'bad.json',
  jsonReport(report([result('sql.limit', 'REQ-SQL-3', { outcome: 'fail' })], { verdict: 'non-conformant' })),
)
const out = join(dir, 'out')

/** The exit code and the error message; an empty message means success. */
async function compare(...args: string[]): Promise<{ exitCode: unknown; sentence: string }> {
  try {
    await compareCommand()
      .exitOverride()
      .configureOutput({ writeErr: () => {} })
      .parseAsync([...args, '--out', out], { from: 'user' })
    return { exitCode: process.exitCode, sentence: '' }
  } catch (error) {
    return explain(error)
  }
}

test('compare --gate fails only if the last report is worse than the one before it', async () => {
  expect((await compare(good, bad)).exitCode).toBe(undefined)
  expect((await compare(bad, good, '--gate')).exitCode).toBe(undefined)
  expect((await compare(bad, good, good, '--gate')).exitCode).toBe(undefined)
  expect((await compare(good, good, bad, '--gate')).exitCode).toBe(1)
})

test('compare --gate prints at most 20 regressions and counts the others', async () => {
  const checks = Array.from({ length: 50 }, (_, n) => result(`sql.n${n}`, 'REQ-SQL-3'))
  const failing = checks.map((check) => ({ ...check, outcome: 'fail' as const, message: 'a\nb' }))
  const [before, after] = [checks, failing].map((all, n) => file(`many-${n}.json`, jsonReport(report(all))))
  const printed = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  await compare(before!, after!, '--gate')
  const lines = printed.mock.calls.map(([line]) => String(line))
  printed.mockRestore()
  expect(lines).toHaveLength(22)
  expect(lines.at(-1)).toBe('  30 more are in the table: --out FILE writes it, --format html too.\n')
  expect(lines[1]).toMatch(/^ {2}sql\.n0: was pass and is now fail: a.*b\n$/)
})

test('compare writes the table whether or not the gate passes', async () => {
  await compare(good, bad, '--gate', '--format', 'html')
  expect(readFileSync(out, 'utf8')).toMatch(/^<!doctype html>[\s\S]*sql\./i)
  await compare(good, bad)
  expect(readFileSync(out, 'utf8')).toMatch(/^# Comparison of 2 conformance reports/)
})

test.each([
  ['a single report', [good], 2, /needs at least two reports/],
  ['a file that does not exist', [good, join(dir, 'none.json')], 2, /Cannot read .*none\.json \(ENOENT\)/],
  ['a file that is not a report', [good, file('x.json', '{}')], 2, /x\.json is not a conformance report/],
  [
    'a truncated stream',
    [good, file('x.ndjson', '{"type":"header"}\n')],
    1,
    /x\.ndjson is truncated: it has 1 lines and no footer/,
  ],
  ['an empty file', [good, file('empty.json', '')], 1, /empty\.json is empty/],
] as [string, string[], number, RegExp][])('compare rejects %s', async (_, files, exitCode, sentence) => {
  const error = await compare(...files)
  expect(error.sentence).toMatch(sentence)
  expect(error.exitCode).toBe(exitCode)
})

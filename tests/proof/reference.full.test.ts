import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { requirements, validators, type ConformanceReport } from '../../schemas/index.ts'
import { finished, spawnFromSources } from '../e2e/support/cli.ts'
import { scratch } from '../e2e/support/vendor.ts'

const folder = scratch()
afterAll(() => folder.remove())

test('the reference is conformant with the limit of 30 s, as the first command of the README shows', async () => {
  const file = join(folder.dir, 'report.json')
  const { exitCode, stdout } = await finished(
    spawnFromSources(['conformance', '--self', '--report', `json=${file}`]),
  )
  expect(stdout).toMatch(
    /^conformant {2}the reference server of this package \(http:\/\/127\.0\.0\.1:\d+\)\n/,
  )
  expect(stdout.trimEnd().split('\n').at(-1)).toBe(stdout.split('\n')[0])
  expect(exitCode).toBe(0)

  const report = JSON.parse(readFileSync(file, 'utf8')) as ConformanceReport
  expect(validators.report(report), JSON.stringify(validators.report.errors)).toBe(true)
  expect(report).toMatchObject({ verdict: 'conformant', reasons: [], counts: { fail: 0, notExercised: 0 } })
  const musts = requirements.filter(({ side, level }) => side === 'server' && level === 'must')
  for (const { id } of musts) {
    const outcomes = report.checks
      .filter(({ requirement }) => requirement === id)
      .map(({ outcome }) => outcome)
    expect([...new Set(outcomes)], id).toEqual(['pass'])
  }
  for (const { id } of musts.filter(({ id }) => !id.includes(':v_'))) expect(stdout).toContain(` ${id} `)
}, 240_000)

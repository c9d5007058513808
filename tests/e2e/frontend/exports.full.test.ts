import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { readManifest } from '../../../fixtures/export/index.ts'
import { builtCli, finished, runCli, spawnCli } from '../support/cli.ts'
import { parseCli } from '../support/parse-cli.ts'
import { scratch } from '../support/vendor.ts'

const folder = scratch()
afterAll(() => folder.remove())
const inFolder = (name: string) => join(folder.dir, name)

describe('bad input', () => {
  test.each([
    [['--scale', '0'], /Write a scale from 0\.01 to 100/],
    [['--scale', '-1'], /Write a scale from 0\.01 to 100/],
    [['--scale', 'NaN'], /Write a scale from 0\.01 to 100/],
    [['--scale', '1e9'], /Write a scale from 0\.01 to 100/],
    [['--seed', '1.5'], /Write a whole number/],
    [['--seed', 'one'], /Write a whole number/],
    [['--workers', '0'], /Write a whole number from 1 to 64/],
    [['--compress', 'lz4'], /Allowed choices are none, gzip, zstd/],
  ])('makes an export exit with 2 before anything is written: %j', async (flags, sentence) => {
    const out = inFolder('never')
    const { exitCode, stderr } = await parseCli(
      ['fixtures', 'export', '--format', 'csv', '--out', out].concat(flags),
    )
    expect(stderr).toMatch(sentence)
    expect(exitCode).toBe(2)
    expect(existsSync(out)).toBe(false)
  })

  test.each([
    [['--scale', '0']],
    [['--scale', 'NaN']],
    [['--seed', '1.5']],
    [['--data', 'here', '--seed', '2']],
    [['--skip-invalid']],
  ])('makes serve exit with 2: %j', async (flags) => {
    const { exitCode } = await parseCli(['serve', '--listen', '127.0.0.1:0', ...flags])
    expect(exitCode).toBe(2)
  })

  test('makes an export into a folder with files exit with 1', async () => {
    mkdirSync(inFolder('full'))
    writeFileSync(inFolder('full/mine.txt'), 'precious')
    const { exitCode, stderr } = await runCli(['fixtures', '--format', 'csv', '--out', inFolder('full')])
    expect(stderr).toContain('is not empty. Name a new folder, or empty this one.')
    expect(exitCode).toBe(1)
    expect(readdirSync(inFolder('full'))).toEqual(['mine.txt'])
  })
})

describe('an incomplete export', () => {
  test('exits with 130 after Ctrl-C, and its manifest says that it is incomplete', async () => {
    const out = inFolder('interrupted')
    const child = spawnCli(['fixtures', '--scale', '1', '--format', 'ndjson', '--out', out])
    const result = finished(child)
    const points = join(out, 'v_timeseries_data.ndjson')
    while (!existsSync(points) || readFileSync(points).length === 0) await sleep(20)
    child.kill('SIGINT')
    const { exitCode, stderr } = await result
    expect(stderr).toContain('is incomplete. Start it again with --restart.')
    expect(exitCode).toBe(130)
    expect((await readManifest(out))!.complete).toBe(false)

    const again = ['fixtures', '--scale', '0.01', '--format', 'ndjson', '--out', out]
    expect((await runCli(again)).exitCode).toBe(1)
    expect((await runCli([...again, '--restart'])).exitCode).toBe(0)
    expect((await readManifest(out))!.complete).toBe(true)
  })

  test.skipIf(process.platform === 'win32')('exits with 1 if the disk is full', async () => {
    const out = inFolder('limited')
    const command = [process.execPath, builtCli, 'fixtures', '--format', 'csv', '--out', out]
    const child = spawn('sh', ['-c', `ulimit -f 2000; exec "$@"`, 'sh', ...command])
    const { exitCode, stderr } = await finished(child)
    expect(stderr).toMatch(/Cannot write to .* \(EFBIG\).*--restart/)
    expect(exitCode).toBe(1)
    expect((await readManifest(out))!.complete).toBe(false)
  })
})

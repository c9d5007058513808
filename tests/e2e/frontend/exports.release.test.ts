import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { finished, spawnCli } from '../support/cli.ts'
import { peakOf, printPeak } from '../support/limited-memory.ts'
import { scratch } from '../support/vendor.ts'

const folder = scratch()
afterAll(() => folder.remove())

test('an export of scale 10 by two threads takes less than 300 MB, with perfusions of 60 days', async () => {
  const out = join(folder.dir, 'large')
  const args = ['fixtures', 'export', '--scale', '10', '--workers', '2', '--format', 'ndjson', '--out', out]
  const { exitCode, stderr } = await finished(spawnCli(args, undefined, [printPeak]))
  expect(exitCode, stderr).toBe(0)
  expect(peakOf(stderr), stderr).toBeLessThan(300e6 / 2 ** 20)
  rmSync(out, { recursive: true })
})

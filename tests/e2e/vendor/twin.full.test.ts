import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createDataset } from '../../../fixtures/index.ts'
import { runCli, startCliServer } from '../support/cli.ts'
import { newFolder, recordedRows } from '../support/twin.ts'

test('record observes the settings as conformance does, and counts the requests', async () => {
  const vendor = await startCliServer(['--scale', '0.01', '--token', 't', '--variant', 'rows.nulls=omitted'])
  onTestFinished(vendor.stop)
  const { out, remove } = newFolder()
  onTestFinished(remove)
  const { exitCode, stderr } = await runCli([
    'record',
    '--base-url',
    vendor.baseUrl,
    '--token',
    't',
    '--out',
    out,
  ])
  expect(exitCode, stderr).toBe(0)
  expect(stderr).toMatch(/note: open point auth\.mode was not observed\. /)
  expect(stderr).not.toContain('NS-')
  const profile = JSON.parse(readFileSync(join(out, 'profile.json'), 'utf8')) as {
    variants: Record<string, string>
  }
  expect(profile.variants['rows.nulls']).toBe('omitted')
  expect(Object.keys(profile.variants).length).toBeGreaterThan(50)
  const recording = JSON.parse(readFileSync(join(out, 'recording.json'), 'utf8')) as { requests: number }
  expect(recording.requests).toBeGreaterThan(200)
  const bioprocesses = [...createDataset({ scale: 0.01 }).rows('v_bioprocesses')]
  expect(recordedRows(out, 'v_bioprocesses').length).toBe(bioprocesses.length)
}, 180_000)

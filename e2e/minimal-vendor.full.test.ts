import { afterAll, expect, test } from 'vitest'
import { runCli } from './support/cli.ts'
import { exportFixtures, scratch, startVendor, VENDOR_TOKEN } from './support/vendor.ts'

const folder = scratch()
afterAll(() => folder.remove())

test('a vendor without a time limit is non-conformant, and the clause is named', async () => {
  const vendor = await startVendor({ fixtures: await exportFixtures(folder.dir), timeLimitMs: 600_000 })
  try {
    const target = ['--base-url', vendor.baseUrl, '--token', VENDOR_TOKEN]
    const { exitCode, stdout } = await runCli([
      'conformance',
      ...target,
      '--time-limit',
      '2s',
      '--only',
      'REQ-TIME-1',
    ])
    expect(exitCode).toBe(1)
    expect(stdout).toMatch(/✗ fail {2}REQ-TIME-1 /)
    expect(stdout).toContain('Errors, table of HTTP statuses, row 1')
  } finally {
    await vendor.stop()
  }
})

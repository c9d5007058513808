import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { finished, root } from '../support/cli.ts'
import { startHttpTarget, type HostileTarget } from '../support/hostile-target.ts'
import { runVitest } from '../support/run-vitest.ts'
import { scratch } from '../support/vendor.ts'

const folder = scratch()
let target: HostileTarget

/** Every answer is one row: some checks pass, some fail, and some have nothing to compare. */
beforeAll(async () => {
  const row = '{"data":[{"id":"a"}],"status":{"state":"success","message":"ok"}}'
  target = await startHttpTarget((response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(row),
  )
})
afterAll(async () => {
  folder.remove()
  await target.close()
})

/** Writes a test file for one of the two runners, as a user writes it. */
function testFile(adapter: 'vitest' | 'node-test', name: string): string {
  const file = join(folder.dir, name)
  writeFileSync(
    file,
    `import { describeConformance } from ${JSON.stringify(join(root, `dist/conformance/${adapter}.js`))}
describeConformance({
  before: async () => ({ baseUrl: ${JSON.stringify(target.baseUrl)}, token: 'secret-token' }),
  only: ['http.*', 'errors.failing-statement', 'errors.unknown-view:alone', 'REQ-VIEW-DATA-EMPTY', 'delta.strictly-after'],
  baseline: { contract: 'v1', waivers: { 'errors.unknown-view:alone': { reason: 'known since spring' } } },
})
`,
  )
  return file
}

/** Lines for checks that pass, fail, are waived or have nothing to compare, with the marks of either runner. */
const lines = [
  /[✓✔].*http\.state: MUST set status\.state to exactly success or error/,
  /[×✖].*errors\.failing-statement: MUST answer any failing statement with data \[\] and state error/,
  /[↓﹣].*errors\.unknown-view:alone: .*waived: known since spring/,
  /[↓﹣].*bioprocesses\.data-empty: .*not-exercised: there were rows, but without a value to judge/,
  /[×✖].*the verdict/,
  /expected +data \[\], state "error"/,
  /actual +HTTP 200, data of 1 rows/,
  /reproduce +curl .*\$BIOPROCESS_SQL_TOKEN/,
]

test('describeConformance in vitest runs a test for each check', async () => {
  testFile('vitest', 'vendor.test.ts')
  const { exitCode, stdout, stderr } = await runVitest(folder.dir)
  const text = stdout + stderr
  expect(exitCode).toBe(1)
  for (const line of lines) expect(text).toMatch(line)
  expect(text).toMatch(/2 failed \| 10 passed \| 4 skipped/)
  expect(text).not.toContain('secret-token')
})

test('describeConformance in node:test runs a test for each check', async () => {
  const file = testFile('node-test', 'vendor.node.mjs')
  const args = ['--test', '--test-reporter', 'spec', file]
  const child = spawn(process.execPath, args, { cwd: root, env: { ...process.env, NO_COLOR: '1' } })
  const { exitCode, stdout, stderr } = await finished(child)
  const text = stdout + stderr
  expect(exitCode).toBe(1)
  for (const line of lines) expect(text).toMatch(line)
  expect(text).toMatch(/pass 10\n.*fail 2\n/)
  expect(text).not.toContain('secret-token')
})

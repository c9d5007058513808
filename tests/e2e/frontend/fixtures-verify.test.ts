import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exportDataset } from '../../../fixtures/export/index.ts'
import { runCli } from '../support/cli.ts'
import { parseCli } from '../support/parse-cli.ts'
import { exportFixtures, scratch } from '../support/vendor.ts'

const folder = scratch()
let dir: string
beforeAll(async () => {
  dir = await exportFixtures(folder.dir)
})
afterAll(() => folder.remove())

test('fixtures verify ends with 0 for an unchanged export and lists what it checked', async () => {
  const { exitCode, stdout } = await parseCli(['fixtures', 'verify', dir])
  expect(stdout).toMatch(/: \d+ rows; the files match the manifest; invariants: \d+ hold, 0 violated\b/)
  expect(exitCode).toBe(0)
})

test('fixtures verify ends its process with 1 for a changed row and names its file and the violated invariant', async () => {
  const file = join(dir, 'v_bioprocesses.ndjson')
  writeFileSync(file, readFileSync(file, 'utf8').replace(/"duration_ms":\d+/, '"duration_ms":1'))
  const { exitCode, stdout } = await runCli(['fixtures', 'verify', dir])
  expect(stdout).toMatch(/^✗ v_bioprocesses\.ndjson was changed: its sha256 is /)
  expect(stdout).toMatch(
    /^✗ P2 {2}duration_ms .*: 1 of \d+ violate it\n {4}v_bioprocesses \w{24}: duration_ms is 1, but the timestamps give \d+\.$/m,
  )
  expect(stdout).toMatch(/; 1 problem with the files; invariants: \d+ hold, 1 violated/)
  expect(exitCode).toBe(1)
})

test('fixtures verify checks the rows of a folder without a manifest', async () => {
  const rows = join(folder.dir, 'rows')
  cpSync(dir, rows, { recursive: true })
  rmSync(join(rows, 'manifest.json'))
  const { exitCode, stdout } = await parseCli(['fixtures', 'verify', rows])
  expect(stdout).toMatch(/^✗ P2 {2}duration_ms/)
  expect(stdout).toMatch(/: \d+ rows; every line is readable; invariants: \d+ hold, 1 violated/)
  expect(exitCode).toBe(1)
})

test('fixtures verify ends with 3 for SQL files, whose invariants it cannot check', async () => {
  const out = join(folder.dir, 'sql')
  await exportDataset({ scale: 0.01 }, { format: 'sql', dir: out, version: 'e2e' })
  const { exitCode, stdout } = await parseCli(['fixtures', 'verify', out])
  expect(stdout).toMatch(/: the files match the manifest; the invariants were not checked/)
  expect(exitCode).toBe(3)
})

import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { finished, root, runCli } from '../support/cli.ts'
import { docSnippet } from '../support/doc-snippet.ts'
import { expectShown } from '../support/page-output.ts'
import { runVitest } from '../support/run-vitest.ts'
import { releaseOnly } from '../support/tiers.ts'
import { scratch } from '../support/vendor.ts'

const folder = scratch()
afterAll(() => folder.remove())

/** The snippet of the page as a file, with the sources in place of the package. */
function snippet(name: string, adapter: 'vitest' | 'node-test'): string {
  const text = docSnippet('client-developers.md', 'bioprocess-sql-contract/client-conformance/vitest')
    .replace(
      "'bioprocess-sql-contract/client-conformance/vitest'",
      JSON.stringify(join(root, `client/conformance/${adapter}.ts`)),
    )
    .replace("'bioprocess-sql-contract/client'", JSON.stringify(join(root, 'client/index.ts')))
  const file = join(folder.dir, name)
  writeFileSync(file, text)
  return file
}

/** The client of the snippet names its columns, so it survives all but two habits that it need not cope with. */
const lines = [
  /[✓✔].*the client keeps the requirements of the contract v1/,
  /[✓✔].*rows\.shape=array: Which shape .* An array of values without column names/,
  /[✓✔].*rows\.nulls=omitted/,
  /[✓✔].*timestamps\.format=seconds-z/,
]

test('the snippet of docs/client-developers.md runs in vitest', async () => {
  snippet('client.test.ts', 'vitest')
  const { exitCode, stdout, stderr } = await runVitest(folder.dir)
  for (const line of lines) expect(stdout + stderr).toMatch(line)
  expect(exitCode).toBe(0)
})

/** Runs a file with node:test. */
const run = (file: string) =>
  finished(
    spawn(process.execPath, ['--import', 'tsx', '--test', '--test-reporter', 'spec', file], {
      cwd: root,
      env: { ...process.env, NO_COLOR: '1' },
    }),
  )

test('the snippet of docs/client-developers.md runs in node:test, and a client that fails is reported with its request', async () => {
  const good = snippet('good.ts', 'node-test')
  const bad = join(folder.dir, 'bad.ts')
  writeFileSync(
    bad,
    readFileSync(good, 'utf8').replace(
      'runs.length !== 5',
      "typeof ((await (await fetch(baseUrl + '/external/v1/statements/', { method: 'POST', headers: { authorization: 'Bearer ' + token, 'content-type': 'application/json' }, body: '{\"statement\":\"SELECT name FROM v_formulas\"}' })).json()) as any).data[0].name !== 'string'",
    ),
  )
  const passed = await run(good)
  for (const line of lines) expect(passed.stdout).toMatch(line)
  expect(passed.exitCode).toBe(0)
  const failed = await run(bad)
  expect(failed.exitCode).toBe(1)
  expect(failed.stdout).toMatch(/✖ rows\.shape=wrapped/)
  expect(failed.stdout).toMatch(/﹣ rows\.case=upper.*# warns: five runs expected/)
  expect(failed.stdout).toMatch(/five runs expected\s+during: SELECT name FROM v_formulas \(HTTP 200\)/)
})

const command = /^npx bioprocess-sql (exec --habits .*story-pipeline.*)$/m.exec(
  readFileSync(join(root, 'docs/client-developers.md'), 'utf8'),
)![1]!

test.each([
  ['docs/client-developers.md', '--only rows.nulls=omitted'],
  // README.md also shows how many habits there are of each outcome.
  ...releaseOnly('runs under all habits for README.md', [['README.md', '']]),
])(
  'the output of habits in %s is what the command of docs/client-developers.md writes',
  // A busy machine may fail a test of the client by chance.
  { retry: 2 },
  async (page, only) => {
    const words = command.replace('--habits', `--habits ${only}`).split(/ +/)
    const { exitCode, stdout } = await runCli(words)
    expect(exitCode).toBe(1)
    expectShown(page!, /rows\.nulls=omitted/, stdout)
  },
)

import { spawn } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { validators, type ConformanceClaim } from '../../schemas/index.ts'
import { builtCli, end, printed, root, startCliServer, type CliServer } from '../support/cli.ts'
import { shellSnippets } from '../support/doc-snippet.ts'
import { runBash } from '../support/pipeline.ts'
import { scratch } from '../support/vendor.ts'

/** A project with the package among its dependencies, in which the commands of the pages run. */
const project = scratch()
const at = (name: string) => join(project.dir, name)
let server: CliServer

beforeAll(async () => {
  mkdirSync(at('node_modules/.bin'), { recursive: true })
  symlinkSync(root, at('node_modules/bioprocess-sql-contract'))
  // as npm links a command; the built file is not executable by itself
  const script = `#!/bin/sh\nexec '${process.execPath}' '${builtCli}' "$@"\n`
  writeFileSync(at('node_modules/.bin/bioprocess-sql'), script, { mode: 0o755 })
  writeFileSync(
    at('package.json'),
    JSON.stringify({
      private: true,
      // `npm run conformance` of a clone
      scripts: { conformance: 'bioprocess-sql conformance' },
    }),
  )
  server = await startCliServer(['--scale', '0.01', '--token', 'page-token', '--time-limit', '2s'])
}, 120_000)
afterAll(async () => {
  await server?.stop()
  project.remove()
})

/** The command of a page that contains a text, with the address of this server in place of the page's. */
function command(page: string, text: string): string {
  const found = shellSnippets(page).find((snippet) => snippet.includes(text))
  if (found === undefined) throw new Error(`docs/${page} has no command with "${text}".`)
  return found.replaceAll('https://data.example.org', server.baseUrl).replaceAll('@token.txt', 'page-token')
}

/** Shortens runs of the suite; the verdict is then incomplete. */
const quick = { BIOPROCESS_SQL_ALLOW_INCOMPLETE: 'true', BIOPROCESS_SQL_TIME_LIMIT: '2s' }
const few = { ...quick, BIOPROCESS_SQL_ONLY: 'http.*', BIOPROCESS_SQL_TOKEN: 'page-token' }
const run = (script: string, env: NodeJS.ProcessEnv = few) => runBash(script, project.dir, env)

test('the first command of docs/vendor.md judges a service', async () => {
  const { exitCode, stdout } = await run(command('vendor.md', '--token @token.txt'), quick)
  expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/^incomplete .*\n.* 1\d\d passed, 0 failed/m)])
}, 120_000)

test('the commands of docs/vendor.md write a baseline, a claim, a table of claims and a smoke collection', async () => {
  const env = { ...few, URL: server.baseUrl }
  const [write] = command('vendor.md', '--write-baseline').split('#')
  expect(await run(write!, env)).toMatchObject({ exitCode: 0 })
  expect(validators.baseline(JSON.parse(readFileSync(at('known.json'), 'utf8')))).toBe(true)
  mkdirSync(at('claims'))
  expect(await run(command('vendor.md', '--claim'), env)).toMatchObject({ exitCode: 0 })
  const claim = JSON.parse(readFileSync(at('claims/acme.json'), 'utf8')) as ConformanceClaim
  expect(claim).toMatchObject({ target: 'Acme historian', failed: [] })
  expect(readFileSync(at('CLAIMS.md'), 'utf8')).toContain('| Acme historian |')
  const [smoke] = command('vendor.md', 'contract smoke').split('\n')
  expect(await run(smoke!, env)).toMatchObject({ exitCode: 0 })
  expect(readFileSync(at('smoke.hurl'), 'utf8')).toContain('POST {{base_url}}')
}, 120_000)

test('the config file of docs/vendor.md judges a service', async () => {
  const page = readFileSync(join(root, 'docs/vendor.md'), 'utf8')
  const [, config] = /^```json\n([^]*?)^```/m.exec(page)!
  writeFileSync(at('gate.json'), config!.replace('https://data.example.org', server.baseUrl))
  const env = { ...few, STAGING_TOKEN: 'page-token', GATEWAY_KEY: 'key-1' }
  const { exitCode } = await run('npx bioprocess-sql conformance --config gate.json', env)
  expect(exitCode).toBe(0)
  expect(readFileSync(at('conformance.xml'), 'utf8')).toContain('<testsuites')
})

test('the server of docs/operators.md answers the operational requests of that page', async () => {
  const [serve, ask] = shellSnippets('operators.md') as [string, string]
  const [, , ...args] = serve.trim().replace('127.0.0.1:4010', '127.0.0.1:0').split(' ')
  const child = spawn(process.execPath, [builtCli, ...args])
  const [, origin] = await printed(child, /serving\s+(\S+)/)
  const { exitCode, stdout } = await run(ask.replaceAll('http://127.0.0.1:4010', origin!))
  const ready = await fetch(`${origin}/_mock/ready`)
  await end(child)
  expect([exitCode, ready.status]).toEqual([0, 200])
  expect(stdout).toContain('"engines"')
  expect(stdout).toMatch(/^# TYPE /m)
}, 120_000)

test('the bill of materials of docs/security.md names every package that an install adds, with its licence', async () => {
  const { stdout } = await runBash(shellSnippets('security.md')[0]!, root, {})
  const { components } = JSON.parse(stdout) as {
    components: { name: string; licenses?: { license: { id: string } }[] }[]
  }
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  expect(components.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(dependencies)))
  const licences = components.map(({ licenses }) => licenses?.[0]?.license.id)
  expect([...new Set(licences)].toSorted()).toEqual(['Apache-2.0', 'ISC', 'MIT'])
})

test('the release script refuses a version that the changelog lacks', async () => {
  const clone = scratch()
  mkdirSync(join(clone.dir, '.ci'))
  copyFileSync(join(root, '.ci/release'), join(clone.dir, '.ci/release'))
  writeFileSync(join(clone.dir, 'package.json'), '{"version": "9.9.9"}')
  writeFileSync(join(clone.dir, 'CHANGELOG.md'), '## Unreleased\n')
  const { exitCode, stderr } = await runBash('.ci/release', clone.dir, {})
  clone.remove()
  expect([exitCode, stderr]).toEqual([1, 'CHANGELOG.md has no section 9.9.9. Rename "Unreleased" to it.\n'])
})

import type { ChildProcess } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { validators, type ConformanceClaim } from '../../schemas/index.ts'
import { end, printed, root, spawnCli, startCliServer, type CliServer } from '../support/cli.ts'
import { shellSnippets } from '../support/doc-snippet.ts'
import { addedPackages } from '../support/installed-package.ts'
import { linkPackage } from '../support/linked-package.ts'
import { pageCommands, type PageCommand } from '../support/page-commands.ts'
import { runBash } from '../support/pipeline.ts'
import { scratch } from '../support/vendor.ts'

/** A project with the package among its dependencies, in which the commands of the pages run. */
const project = scratch()
const at = (name: string) => join(project.dir, name)
let server: CliServer

beforeAll(async () => {
  linkPackage(project.dir)
  writeFileSync(
    at('package.json'),
    JSON.stringify({
      private: true,
      // `npm run conformance` of a clone, and the tests of a client
      scripts: { conformance: 'bioprocess-sql conformance --self', test: 'node client.mjs' },
    }),
  )
  writeFileSync(at('client.mjs'), client)
  writeFileSync(at('token.txt'), 'page-token')
  for (const folder of ['claims', 'docs']) mkdirSync(at(folder))
  symlinkSync(join(root, 'examples'), at('examples'))
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

test('the bill of materials of docs/security.md names every package that an install adds, with its licence', async () => {
  const { stdout } = await runBash(shellSnippets('security.md')[0]!, root, {})
  const { components } = JSON.parse(stdout) as {
    components: { name: string; licenses?: { license?: { id: string } }[] }[]
  }
  const licences = new Map(components.map(({ name, licenses }) => [name, licenses?.[0]?.license?.id]))
  const added = addedPackages()
  expect(added.length).toBeGreaterThan(20)
  expect([...new Set(added.map((name) => licences.get(name)))].toSorted()).toEqual([
    'Apache-2.0',
    'ISC',
    'MIT',
  ])
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

/** Commands that cannot run here, by their start: where they run instead, or why they run nowhere. */
const elsewhere: Readonly<Record<string, string>> = {
  'npm ci && npm test': '.ci/run',
  'npm start -- --database': 'e2e/database, with the address of a PostgreSQL that it starts',
  'npx bioprocess-sql fixtures load --database': 'e2e/database',
  'export BIOPROCESS_SQL_READER_PASSWORD': 'e2e/database',
  'PGPASSWORD=secret npx': 'e2e/database',
  'npm install --prefix .gate': 'pipelines.full.test.ts',
  '.gate/node_modules': 'pipelines.full.test.ts',
  'npm install -D bioprocess-sql-contract': 'newcomer.full.test.ts',
  'npm sbom': 'the test of the bill of materials above',
  'docker build': 'needs Docker: examples/containers/check.sh. containers.full.test.ts runs the steps',
  'docker run --rm -v':
    'needs Docker: examples/containers/check.sh. containers.full.test.ts runs the same suite',
  caddy: 'needs Caddy',
  'npm install -D oauth2-mock-server': 'needs a package that the project does not have; login.test.ts',
  'node provider.mjs': 'the same',
  'curl -sS http://localhost:8080': 'the same',
  hurl: 'needs Hurl, which neither npm nor Debian 12 has',
  grep: 'reads the log of a service',
}
/** Pages whose commands run in other tests. */
const pagesElsewhere: Readonly<Record<string, string>> = {
  'examples/dashboard/README.md': 'newcomer.full.test.ts',
  'examples/python/README.md': 'containers.full.test.ts',
}

const commands = pageCommands()
const isHere = ({ page, command }: PageCommand) =>
  !(page in pagesElsewhere) && !Object.keys(elsewhere).some((start) => command.startsWith(start))
const here = commands.filter(isHere)
const pages = [...new Set(here.map(({ page }) => page))]

test('each command that is said to run elsewhere is on a page', () => {
  for (const start of Object.keys(elsewhere))
    expect(commands.some(({ command }) => command.startsWith(start)) || start).toBe(true)
  for (const page of Object.keys(pagesElsewhere))
    expect(commands.some((one) => one.page === page) || page).toBe(true)
})

/** The commands of a page run in their order; a server runs until the next one starts. */
describe.each(pages)('a command of %s', (page) => {
  let running: { readonly child: ChildProcess; readonly origin: string } | undefined
  const stop = () => running && end(running.child)
  beforeAll(() => rmSync(at('plant'), { recursive: true, force: true }))
  afterAll(stop)
  async function start(words: readonly string[]): Promise<{ child: ChildProcess; origin: string }> {
    await stop()
    const child = spawnCli(
      [...words.map(adapt), ...(words.includes('--listen') ? [] : ['--listen', '127.0.0.1:0'])],
      project.dir,
    )
    const [, origin] = await printed(child, /(http:\/\/127\.0\.0\.1:\d+)\/?\s/)
    return { child, origin: origin! }
  }
  /** The command with the addresses of this test, in a clone that is installed, and with a few habits. */
  const adapt = (command: string) =>
    command
      .replace('npm ci && ', '')
      .replace('npx tsx cli/main.ts', 'npx bioprocess-sql')
      .replace('--habits', "--habits --only 'rows.case=*'")
      .replace(/^curl/, 'curl --fail')
      .replaceAll('https://data.example.org', server.baseUrl)
      .replace(/(http:\/\/)?(localhost|127\.0\.0\.1):4010/, running?.origin ?? '127.0.0.1:0')

  test.each(here.filter((one) => one.page === page).map(({ command }) => command))(
    '%s',
    async (command) => {
      const [isServer, words = ''] = serverCommand.exec(command) ?? []
      if (isServer !== undefined) {
        running = await start([
          command.includes(' proxy') ? 'proxy' : 'serve',
          ...words.split(' ').filter(Boolean),
        ])
        // a token of another issuer is refused, and the page of the server has none
        expect([200, 401]).toContain((await ask(running.origin)).status)
        return
      }
      if (command.includes(':4010')) running ??= await start(['serve', '--token', 'page-token'])
      if (command.includes('count=1')) await ask(`${running!.origin}/s/worker-1`)
      // a profile needs the whole suite; a token is refused where no service is judged
      const env = /--profile-out|npm run conformance$/.test(command) ? quick : few
      const { exitCode, stdout, stderr } = await run(adapt(command), { ...env, URL: server.baseUrl })
      expect(exitCode, stdout + stderr).toBe(0)
    },
    120_000,
  )
})

/** A server that a page starts, and its options. */
const serverCommand =
  /^(?:npm start(?: --)?|(?:npx|docker run --rm -p \S+) bioprocess-sql (?:serve|proxy))(?: (.*))?$/

const ask = (origin: string) =>
  fetch(`${origin}/external/v1/statements/`, {
    method: 'POST',
    headers: { authorization: 'Bearer page-token', 'content-type': 'application/json' },
    body: JSON.stringify({ statement: 'SELECT * FROM v_quantities LIMIT 1' }),
  })

/** The tests of a client that copes with every habit. */
const client = `const { BIOPROCESS_SQL_BASE_URL: origin, BIOPROCESS_SQL_TOKEN: token } = process.env
const { status } = await fetch(origin + '/external/v1/statements/', {
  method: 'POST',
  headers: { authorization: 'Bearer ' + token, 'content-type': 'application/json' },
  body: JSON.stringify({ statement: 'SELECT * FROM v_formulas LIMIT 1' }),
})
process.exitCode = status === 200 ? 0 : 1
`

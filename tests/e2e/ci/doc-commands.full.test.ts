import { cpSync, mkdirSync, symlinkSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { validators } from '../../../schemas/index.ts'
import { root, startCliServer, type CliServer } from '../support/cli.ts'
import { shellSnippets } from '../support/doc-snippet.ts'
import { addedPackages } from '../support/installed-package.ts'
import { linkPackage } from '../support/linked-package.ts'
import { pageCommands } from '../support/page-commands.ts'
import { describePage, expectRulesUsed, type Rule, type Rules } from '../support/page-tests.ts'
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
  writeFileSync(at('known-profile.json'), '{"contract": "v1", "variants": {}}')
  for (const folder of ['claims', 'docs']) mkdirSync(at(folder))
  server = await startCliServer(['--scale', '0.01', '--token', 'page-token', '--time-limit', '2s'])
})
afterAll(async () => {
  await server?.stop()
  project.remove()
})

/** Shortens runs of the suite; the verdict is then incomplete. */
const few = {
  BIOPROCESS_SQL_ALLOW_INCOMPLETE: 'true',
  BIOPROCESS_SQL_TIME_LIMIT: '2s',
  BIOPROCESS_SQL_ONLY: 'http.*',
  BIOPROCESS_SQL_TOKEN: 'page-token',
}
const ownToken = { ...few, BIOPROCESS_SQL_TOKEN: undefined }
const run = (script: string, env: NodeJS.ProcessEnv = few) => runBash(script, project.dir, env)

test('the config file of docs/vendor.md judges a service, and its baseline is read', async () => {
  const page = readFileSync(join(root, 'docs/vendor.md'), 'utf8')
  const [baseline, config] = [...page.matchAll(/^```json\n([^]*?)^```/gm)].map(([, json]) => json!)
  writeFileSync(at('gate.json'), config!.replace('https://data.example.org', server.baseUrl))
  writeFileSync(at('page-baseline.json'), baseline!)
  const env = { ...few, STAGING_TOKEN: 'page-token', GATEWAY_KEY: 'key-1' }
  const { exitCode } = await run(
    'npx bioprocess-sql conformance --config gate.json --baseline page-baseline.json',
    env,
  )
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

test('the release script publishes no version that the changelog and the released surface lack', async () => {
  const clone = scratch()
  for (const path of ['build/release.ts', 'build/release-steps.ts', 'generators/surface'])
    cpSync(join(root, path), join(clone.dir, path), { recursive: true })
  writeFileSync(join(clone.dir, 'package.json'), '{"name": "any", "version": "9.9.9", "type": "module"}')
  writeFileSync(join(clone.dir, 'CHANGELOG.md'), '## Unreleased\n')
  writeFileSync(join(clone.dir, 'generators/surface/released.txt'), 'cli serve\n')
  symlinkSync(join(root, 'node_modules'), join(clone.dir, 'node_modules'))
  const release = 'git init -q && npx tsx build/release.ts'
  const [publish, neither] = [
    await runBash(`${release} --publish`, clone.dir, {}),
    await runBash(release, clone.dir, {}),
  ]
  clone.remove()
  expect(publish.exitCode).toBe(1)
  expect(publish.stderr).toContain('CHANGELOG.md has no section "## 9.9.9 - " with the day')
  expect(publish.stderr).toContain('Commit or remove the changes of the clone.')
  expect(publish.stderr).toContain('Run npx tsx generators/surface/released.ts')
  expect(publish.stderr).toContain('Give package.json a repository.')
  expect([neither.exitCode, neither.stderr]).toEqual([
    1,
    expect.stringContaining('Give --cut VERSION, --dry-run or --publish.'),
  ])
})

const elsewhere = (where: string): Rule => ({ elsewhere: where })

/** Areas with most of the checks. */
const long = ['sql', 'errors', 'views', 'replies', 'delta', 'references', 'time', 'search', 'join', 'whole']

/** How the commands of the pages run here. */
const rules: Rules = [
  [/^npm ci && npm test$/, elsewhere('.ci/run')],
  [/--database/, elsewhere('tests/e2e/database, with the address of a PostgreSQL that it starts')],
  [/^export BIOPROCESS_SQL_READER_PASSWORD/, elsewhere('tests/e2e/database')],
  [/\.gate/, elsewhere('pipelines.full.test.ts')],
  [/^npm install -D bioprocess-sql-contract/, elsewhere('newcomer.full.test.ts')],
  [/^npm sbom/, elsewhere('the test of the bill of materials above')],
  [/exec --habits --scale 0\.01 -- node --test/, elsewhere('describe-habits.full.test.ts')],
  [/^docker build/, elsewhere('needs Docker: examples/containers/check.sh')],
  [/^docker run .* conformance/, elsewhere('needs Docker: examples/containers/check.sh')],
  [/^caddy/, elsewhere('needs Caddy')],
  [/^mitmdump/, elsewhere('needs mitmproxy 10.1, which Debian 12 lacks')],
  [/ traffic /, elsewhere('traffic.full.test.ts, with files of Chromium')],
  [/serve --cert/, elsewhere('https.full.test.ts')],
  [/oauth2-mock-server|provider\.mjs|localhost:8080\/token/, elsewhere('needs that package; login.test.ts')],
  [/^hurl/, elsewhere('needs Hurl, which neither npm nor Debian 12 has')],
  [/^grep/, elsewhere('reads the log of a service')],
  [
    /^(npm start|npx bioprocess-sql serve|docker run .* serve)/,
    {
      as: (command) =>
        command.includes('--listen') ? here(command) : `${here(command)} --listen 127.0.0.1:0`,
      serves: /(http:\/\/127\.0\.0\.1:\d+)\/?\s/,
      // a token of another issuer is refused, and the page of the server has none
      proof: async ({ origin }) => expect([200, 401]).toContain((await ask(origin)).status),
    },
  ],
  // a token is refused where no service is judged, and is read from the file of another command
  [/npm run conformance$|conformance .*--token "@token\.txt"$/, { as: here, env: ownToken }],
  // refuses --only; tests/e2e/vendor/profile.full.test.ts runs the whole suite, and twin.full.test.ts records without a profile
  [
    /--profile-out/,
    {
      as: (command) => here(command) + long.map((area) => ` --skip '${area}.*'`).join(''),
      env: { ...ownToken, BIOPROCESS_SQL_ONLY: undefined },
      proof: () => expect(validators.profile(JSON.parse(written('vendor.json')))).toBe(true),
    },
  ],
  [/ record /, { as: (command) => `${here(command)} --profile known-profile.json` }],
  [/fixtures export/, { as: (command) => `${here(command)} --scale 0.01` }],
  [
    /--write-baseline/,
    { as: here, proof: () => expect(validators.baseline(JSON.parse(written('known.json')))).toBe(true) },
  ],
  [
    /--claim/,
    {
      as: here,
      proof: () =>
        expect(JSON.parse(written('claims/acme.json'))).toMatchObject({
          target: 'Acme historian',
          failed: [],
        }),
    },
  ],
  [/matrix/, { as: here, proof: () => expect(written('CLAIMS.md')).toContain('| Acme historian |') }],
  [/contract smoke/, { as: here, proof: () => expect(written('smoke.hurl')).toContain('POST {{base_url}}') }],
  [/--habits/, { as: (command) => here(command).replace('--habits', '--habits --only rows.case=upper') }],
  [/count=1/, { as: (command) => `${statement} && ${here(command)}` }],
  [/./, { as: here }],
]

/** A clone starts the server by npm, a project by npx. */
const normal = (command: string): string => command.replace(/^npm start( --)?/, 'npx bioprocess-sql serve')

/** A command in a project that has the package, with the addresses of this test. */
function here(command: string): string {
  return (
    normal(command)
      .replace('npm ci && ', '')
      .replace(/^docker run .* serve/, 'npx bioprocess-sql serve')
      // npx takes a second each time to find the command
      .replace(/^npx bioprocess-sql/, 'bioprocess-sql')
      .replace(/^curl/, 'curl --fail')
      .replaceAll('https://data.example.org', server.baseUrl)
  )
}

const written = (name: string) => readFileSync(at(name), 'utf8')

/** A statement of the session that a page shows. */
const statement = `curl --fail -sS http://127.0.0.1:4010/s/worker-1/external/v1/statements/ -H 'Authorization: Bearer page-token' -H 'Content-Type: application/json' -d '{"statement": "SELECT * FROM v_quantities LIMIT 1"}'`

const commands = pageCommands().filter(({ page }) => !page.startsWith('examples/'))
/** Each command once, on its first page. A request asks the server of its own page. */
const distinct = commands.filter(
  ({ command }, index) =>
    command.startsWith('curl') ||
    commands.findIndex((other) => normal(other.command) === normal(command)) === index,
)

test('each rule is for a command of a page', () => {
  expectRulesUsed(
    rules,
    commands.map(({ command }) => command),
  )
})

for (const page of new Set(distinct.map((one) => one.page)))
  describePage(
    page,
    distinct.filter((one) => one.page === page).map(({ command }) => command),
    rules,
    {
      folder: () => project.dir,
      env: () => ({ ...few, URL: server.baseUrl, PATH: `${at('node_modules/.bin')}:${process.env['PATH']}` }),
      server: 'bioprocess-sql serve --token page-token --listen 127.0.0.1:0',
    },
  )

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

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { ask } from '../support/ask.ts'
import { finished, runCli, spawnCli, startCliServer, type Finished } from '../support/cli.ts'
import { closeTargets, startHttpTarget } from '../support/hostile-target.ts'
import { parseCli } from '../support/parse-cli.ts'
import { scratch } from '../support/vendor.ts'
import { createDataset } from '../../../fixtures/index.ts'
import { quantities } from '../../../fixtures/catalogue/quantities.ts'

const folder = scratch()
afterEach(closeTargets)
afterAll(() => folder.remove())

/** Expects an exit code and an error message, and neither a stack trace nor a success. */
function expectSentence({ exitCode, stdout, stderr }: Finished, code: number, sentence: RegExp): void {
  const output = stdout + stderr
  expect(output).toMatch(sentence)
  expect(output).not.toMatch(/\n\s+at \S+ \(|\n\s+at file:/)
  expect(output).not.toMatch(/^conformant/m)
  expect(exitCode).toBe(code)
}

const trustsJwks = ['serve', '--jwks-url', 'http://h.example/jwks', '--issuer', 'i', '--audience', 'a']

describe('a wrong command line', () => {
  test.each([
    [
      ['serve', '--variant', 'rows.shap=array', '--variant', 'timestamps.format=x'],
      /Invalid variants in --variant: .*"rows\.shap".*timestamps\.format has no variant "x"/s,
    ],
    [['exec', '--config', 'no/such', '--', 'true'], /Cannot read the config file no\/such/],
    [['conformanse'], /unknown command 'conformanse'.*Did you mean conformance/s],
    [
      ['fixtures', 'verify', 'no/such'],
      /There is no folder no\/such\. Name one that `fixtures export` or `record` wrote/,
    ],
    [['conformance', '--base-url', 'data.example.org', '--no-auth'], /Write it with its scheme/],
    [
      ['conformance', '--base-url', 'http://h.example/external/v1/statements/', '--no-auth'],
      /Remove .*: http:\/\/h\.example$/m,
    ],
    [['conformance', '--base-url', 'http://h.example'], /needs a token\. Give --token/],
    [
      ['conformance', '--base-url', 'http://h.example', '--token', '@no/such/file'],
      /Cannot read the token file no\/such\/file/,
    ],
    [
      ['conformance', '--base-url', 'http://h.example', '--token-command', 'exit 3'],
      /token command failed: exit 3/,
    ],
    [['conformance', '--base-url', 'http://h.example', '--token', 'two words'], /one word of visible ASCII/],
    [
      ['conformance', '--base-url', 'http://h.example', '--no-auth', '--only', 'nonsense'],
      /No check matches "nonsense".*--list/,
    ],
    [
      [
        'conformance',
        '--base-url',
        'http://h.example',
        '--no-auth',
        '--only',
        'delta.*',
        '--skip',
        'delta.*',
      ],
      /exclude every check/,
    ],
    [['conformance', '--accept-not-exercised', 'time.limit'], /Write "time\.limit=/],
    [
      [
        'conformance',
        '--base-url',
        'http://h.example',
        '--no-auth',
        '--accept-not-exercised',
        'time.limits=x',
      ],
      /names "time\.limits", which is not a check\. Did you mean time\.limit\?/,
    ],
    [['conformance', '--explain', 'nonsense'], /no check, requirement, open point or invariant "nonsense"/],
    [['conformance', '--time-limit', '30'], /number with a unit/],
    [['conformance', '--report', 'pdf=x'], /FORMAT=FILE/],
    [['serve', '--fault', 'lag:1s'], /There is no fault "lag"\. The faults are: latency, reset, .*drip\./],
    [
      ['serve', '--fault', 'reset', '--fault', 'status:503,rate=2'],
      /has "rate=2"\. Write .*probability above 0/,
    ],
    [['serve', '--database', 'localhost/x'], /not a URL.*postgres:\/\/user@host\/database/],
    [['serve', '--database', 'postgres://h/x', '--live'], /Leave one of them out/],
    [['serve', '--schema', 'x'], /--schema needs --database/],
    ...['a"; DROP ROLE x', 'PG_CATALOG', 'pg_mine'].map((schema): [string[], RegExp] => [
      ['fixtures', 'load', '--database', 'postgres://h/x', '--schema', schema],
      /is not a name for --schema\. Use up to 50 lower case letters/,
    ]),
    ...['pg_monitor', 'x'.repeat(64)].map((reader): [string[], RegExp] => [
      ['fixtures', 'load', '--database', 'postgres://h/x', '--reader', reader],
      /The name of --reader is empty, longer than 63 bytes, or begins with pg_/,
    ]),
    [['serve', '--live', '0'], /greater than 0 and at most 100000/],
    [['serve', '--live', '1e9'], /greater than 0 and at most 100000/],
    [['fixtures', 'export', '--data', 'mine', '--format', 'csv', '--out', 'key'], /unknown option '--data'/],
    [['serve', '--live', 'fast'], /greater than 0 and at most 100000/],
    [['serve', '--live', '--data', 'mine'], /Leave one of them out/],
    [['serve', '--variant', 'rows.shape=round'], /rows\.shape/],
    [['serve', '--variant', 'no.knob=1'], /no\.knob/],
    [['serve', '--jwks-url', 'http://h.example/jwks'], /needs --issuer and --audience/],
    [
      ['serve', '--jwks-url', 'h.example/jwks', '--issuer', 'i', '--audience', 'a'],
      /is no URL of a key set\. Write it as https/,
    ],
    [['serve', '--issuer', 'i', '--audience', 'a'], /need --jwks-url/],
    [['serve', '--clock-skew', '30'], /number with a unit/],
    [
      [...trustsJwks, '--variant', 'auth.mode=client-credentials'],
      /either those of another identity provider or those of this server's own/,
    ],
    [
      ['serve', '--variant', 'auth.mode=authorization-code'],
      /signs in at an identity provider, .*\. Name its key set/,
    ],
    [['serve', '--client', 'app'], /Write id:secret/],
    [['serve', '--token-lifetime', '10ms'], /must be at least one second/],
    [['serve', '--listen', '0.0.0.0:0'], /--token/],
    [['serve', '--listen', 'everywhere'], /host:port/],
    [['traffic', 'no/such'], /Cannot read the HAR file no\/such \(ENOENT\)\. Check its path/],
    [['serve', '--token', 'a b'], /The token holds no usable token/],
    [['exec', '--token', '@no-such-file', '--', 'true'], /Cannot read the token file no-such-file/],
    [['serve', '--admin-token', 'a b'], /The admin token holds no usable token/],
    [['serve', '--as-of', '1970-01-01T00:00:00Z'], /Write a time from 2000 to 2099/],
    [['serve', '--as-of', '2025-02-30T00:00:00Z'], /not a timestamp with a zone/],
    [['serve', '--scale', 'huge'], /scale from 0\.01 to 100/],
    [['serve', '--scale', '50'], /at most 3\. For more, run `fixtures export`/],
    [['fixtures', '--format', 'xlsx', '--out', 'x'], /Allowed choices are ndjson, csv, sql, parquet/],
    [['contract', 'pdf'], /Allowed choices are openapi, ddl, schemas, rights, smoke, reference/],
  ] as [string[], RegExp][])('exits with 2: %j', async (args, sentence) => {
    expectSentence(await parseCli(args), 2, sentence)
  })

  test.each([
    ['an unknown option', ['conformance', '--no-such-flag'], /unknown option '--no-such-flag'/],
    ['a wrong value', ['conformance', '--concurrency', '0'], /whole number of at least 1/],
    ['a missing file', ['serve', '--profile', 'no/such'], /Cannot read the profile no\/such \(ENOENT\)/],
  ] as [string, string[], RegExp][])('ends the process with 2: %s', async (_, args, sentence) => {
    expectSentence(await runCli(args), 2, sentence)
  })
})

test.each(
  [
    ['conformance', '--no-auth', '--base-url', 'u:SECRET@host'],
    ['conformance', '--no-auth', '--base-url', 'http://u:SECRET@[bad'],
    ['conformance', '--no-auth', '--base-url', 'ftp://u:SECRET@x'],
    ['conformance', '--no-auth', '--base-url', 'http://u:SECRET@x'],
    ['conformance', '--no-auth', '--base-url', 'http://h/?token=SECRET'],
    ['conformance', '--no-auth', '--base-url', 'http://h/#SECRET'],
    ['conformance', '--no-auth', '--base-url', 'http://h', '--header', 'SECRET'],
    ['conformance', '--no-auth', '--base-url', 'http://h', '--proxy', 'u:SECRET@host'],
    ['conformance', '--base-url', 'http://h', '--token', 'two SECRET'],
    ['record', '--no-auth', '--out', 'x', '--base-url', 'u:SECRET@host'],
    ['traffic', 'seen.har', '--base-url', 'u:SECRET@host'],
    ['serve', '--client', 'nocolonSECRET'],
    ['serve', '--token', 'two SECRET'],
    ['serve', '--admin-token', 'two SECRET'],
    ['serve', '--jwks-url', 'u:SECRET@host', '--issuer', 'i', '--audience', 'a'],
    ['serve', '--database', 'postgres://r:pa#SECRET@host/db'],
    ['serve', '--database', 'postgres://r:SECRET@host:port/db'],
    ['serve', '--database', 'r:SECRET@host/db'],
    ['fixtures', 'load', '--database', 'postgres://r:pa/SECRET@host/db'],
  ].map((args) => [args]),
)('no message repeats the secret of %j', async (args) => {
  const { stdout, stderr, exitCode } = await parseCli(args)
  expect(stderr).toMatch(/\. \w/)
  expect(stdout + stderr).not.toContain('SECRET')
  expect([1, 2]).toContain(exitCode)
})

describe('conformance against a target without an answer', () => {
  test.each([
    [
      'at a port where nothing listens',
      'http://127.0.0.1:4',
      /unreachable.*Nothing listens at 127\.0\.0\.1:4\. Start the server or correct the base URL/s,
    ],
    [
      'with an unknown host name',
      'http://no-such-host.invalid',
      /host name no-such-host\.invalid cannot be resolved/,
    ],
  ])('exits with 4: %s', async (_, baseUrl, sentence) => {
    expectSentence(await runCli(['conformance', '--base-url', baseUrl, '--no-auth']), 4, sentence)
  })

  test('exits with 4 if https is used and the server has no TLS', async () => {
    const { baseUrl } = await startHttpTarget((response) => response.end())
    const run = await runCli(['conformance', '--base-url', baseUrl.replace('http:', 'https:'), '--no-auth'])
    expectSentence(run, 4, /127\.0\.0\.1:\d+ does not speak TLS .*with http:\/\//s)
  })

  test('exits with 4 if the server closes the connection', async () => {
    const { baseUrl } = await startHttpTarget((response) => response.destroy())
    const run = await runCli(['conformance', '--base-url', baseUrl, '--no-auth'])
    expectSentence(run, 4, /closed the connection/)
  })
})

describe('conformance against another service', () => {
  test('exits with 1 if it answers with HTML', async () => {
    const { baseUrl } = await startHttpTarget((response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>'),
    )
    const run = await runCli(['conformance', '--base-url', baseUrl, '--no-auth'])
    expectSentence(run, 1, /✗ fail {2}REQ-HTTP-1 .*text\/html/s)
  })

  test('exits with 1 if it redirects; the redirect is reported and not followed', async () => {
    const target = await startHttpTarget((response) =>
      response.writeHead(302, { location: 'https://login.example/' }).end(),
    )
    const run = await runCli(['conformance', '--base-url', target.baseUrl, '--no-auth'])
    expectSentence(run, 1, /✗ fail {2}REQ-HTTP-1 .*redirect to https:\/\/login\.example\//s)
    expect(target.requests).toBeLessThan(5)
  })
})

test('a refused token exits with 3, and the message asks for a valid one', async () => {
  const { baseUrl } = await startHttpTarget((response) => response.writeHead(401).end())
  const run = await runCli(['conformance', '--base-url', baseUrl, '--token', 'old'])
  expectSentence(run, 3, /refused the token \(HTTP 401\); pass a valid one with --token/)
})

test.each([
  ['--help', 0],
  ['contract openapi', 0],
  ['conformance --base-url http://127.0.0.1:9 --token t', 4],
])('a closed stdout does not change the exit code of %s, which is %i', async (args, code) => {
  const child = spawnCli(args.split(' '))
  child.stdout!.destroy()
  expect(await finished(child)).toEqual({ exitCode: code, stdout: '', stderr: '' })
})

describe('serve', () => {
  test('exits with 1 if the port is in use', async () => {
    const taken = new URL((await startHttpTarget((response) => response.end())).baseUrl).host
    expectSentence(
      await runCli(['serve', '--listen', taken]),
      1,
      /is in use\. Stop the other server, or listen elsewhere/,
    )
  })

  test.each([
    [
      'the address belongs to another machine',
      ['serve', '--listen', '192.0.2.1:0', '--token', 'x'],
      /no address of this machine/,
    ],
    [
      'the folder of the ready file does not exist',
      ['serve', '--listen', '127.0.0.1:0', '--scale', '0.01', '--ready-file', 'no/such/dir/f'],
      /ready file/,
    ],
  ] as [string, string[], RegExp][])('exits with 1 if %s', async (_, args, sentence) => {
    expectSentence(await runCli(args), 1, sentence)
  })

  test('rebuilds a corrupt snapshot in its cache and warns', async () => {
    // the cache is in node_modules of the working directory
    const project = join(folder.dir, 'project')
    const cache = join(project, 'node_modules/.cache/bioprocess-sql')
    mkdirSync(join(project, 'node_modules'), { recursive: true })
    // few rows, which no snapshot of the package has
    mkdirSync(join(project, 'mine'))
    const [row] = createDataset({ scale: 0.01 }).rows('v_formulas')
    writeFileSync(join(project, 'mine/v_formulas.ndjson'), JSON.stringify(row))
    const start = async () => {
      const { baseUrl, log, stop } = await startCliServer(['--data', 'mine', '--token', 't'], project)
      const { rows } = await ask({ baseUrl, token: 't' }, 'SELECT id FROM v_formulas')
      await stop()
      return { rows: rows.length, log: log() }
    }
    expect((await start()).rows).toBe(1)
    const files = readdirSync(cache).filter((name) => readFileSync(join(cache, name)).length > 1_000_000)
    expect(files).toHaveLength(1)
    const bytes = readFileSync(join(cache, files[0]!))
    bytes.fill(7, bytes.length >> 1, (bytes.length >> 1) + 4096)
    writeFileSync(join(cache, files[0]!), bytes)
    const again = await start()
    expect(again.rows).toBe(1)
    expect(again.log.match(/ is damaged\. It is built again\./g)).toHaveLength(1)
  })
})

describe('exec', () => {
  test('runs a command with the server in its environment and exits with its exit code', async () => {
    const script = `
      const reply = await fetch(process.env.BIOPROCESS_SQL_BASE_URL + '/external/v1/statements/', { method: 'POST',
        headers: { authorization: 'Bearer ' + process.env.BIOPROCESS_SQL_TOKEN, 'content-type': 'application/json' },
        body: JSON.stringify({ statement: 'SELECT id FROM v_quantities' }) })
      process.exit((await reply.json()).data.length)`
    const command = [process.execPath, '--input-type=module', '-e', script]
    const run = await runCli(['exec', '--scale', '0.01', '--', ...command])
    expect(run.exitCode).toBe(quantities.length)
  })

  test('exits as a shell does if the command does not exist or is no program', async () => {
    const run = await runCli(['exec', '--scale', '0.01', '--', 'no-such-command'])
    expectSentence(run, 127, /Cannot start the command "no-such-command" \(ENOENT\)/)
    const text = await runCli(['exec', '--scale', '0.01', '--', './package.json'])
    expectSentence(text, 126, /Cannot start the command ".\/package\.json" \(EACCES\)/)
  })
})

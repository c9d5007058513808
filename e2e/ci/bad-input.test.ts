import { createServer, type RequestListener, type Server } from 'node:http'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { end, finished, printed, runCli, spawnCli, type Finished } from '../support/cli.ts'
import { scratch } from '../support/vendor.ts'

const folder = scratch()
const servers: Server[] = []

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})
afterAll(() => folder.remove())

async function serverOf(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** What every refusal has in common: a sentence, and neither a stack trace nor a success. */
function expectSentence({ exitCode, stdout, stderr }: Finished, code: number, sentence: RegExp): void {
  const said = stdout + stderr
  expect(said).toMatch(sentence)
  expect(said).not.toMatch(/\n\s+at \S+ \(|\n\s+at file:/)
  expect(said).not.toMatch(/^conformant/m)
  expect(exitCode).toBe(code)
}

const trusting = ['serve', '--jwks-url', 'http://h.example/jwks', '--issuer', 'i', '--audience', 'a']

describe('the command line is wrong: exit 2', () => {
  test.each([
    [
      ['serve', '--variant', 'rows.shap=array', '--variant', 'timestamps.format=x'],
      /Invalid variants in --variant: .*"rows\.shap".*timestamps\.format has no variant "x"/s,
    ],
    [['serve', '--profile', 'no/such'], /Cannot read the profile no\/such \(ENOENT\)/],
    [['exec', '--config', 'no/such', '--', 'true'], /Cannot read the config file no\/such/],
    [['conformance', '--no-such-flag'], /unknown option '--no-such-flag'/],
    [['conformanse'], /unknown command 'conformanse'.*Did you mean conformance/s],
    [
      ['fixtures', 'verify', 'no/such'],
      /There is no folder no\/such\. Name one that `fixtures export` wrote/,
    ],
    [['conformance', '--base-url', 'data.example.org', '--no-auth'], /Write it with its scheme/],
    [
      ['conformance', '--base-url', 'http://h.example/external/v1/statements/', '--no-auth'],
      /Leave .* out: http:\/\/h\.example$/m,
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
    [['conformance', '--time-limit', '30'], /number with a unit/],
    [['conformance', '--concurrency', '0'], /whole number of at least 1/],
    [['conformance', '--report', 'pdf=x'], /FORMAT=FILE/],
    [['serve', '--fault', 'lag:1s'], /There is no fault "lag"\. The faults are: latency, reset, .*drip\./],
    [
      ['serve', '--fault', 'reset', '--fault', 'status:503,rate=2'],
      /has "rate=2"\. Write .*probability above 0/,
    ],
    [['serve', '--database', 'postgres://localhost/x'], /--database is not implemented/],
    [['serve', '--live', '0'], /greater than 0 and at most 100000/],
    [['serve', '--live', 'fast'], /greater than 0 and at most 100000/],
    [['serve', '--live', '--data', 'mine'], /Leave one of them out/],
    [['serve', '--variant', 'rows.shape=round'], /rows\.shape/],
    [['serve', '--variant', 'no.knob=1'], /no\.knob/],
    [['serve', '--jwks-url', 'http://h.example/jwks'], /needs --issuer and --audience/],
    [
      ['serve', '--jwks-url', 'h.example/jwks', '--issuer', 'i', '--audience', 'a'],
      /"h\.example\/jwks" is no URL of a key set\. Write it as https/,
    ],
    [['serve', '--issuer', 'i', '--audience', 'a'], /need --jwks-url/],
    [['serve', '--clock-skew', '30'], /number with a unit/],
    [
      [...trusting, '--variant', 'auth.mode=client-credentials'],
      /either those of another identity provider or those of this server's own/,
    ],
    [['serve', '--client', 'app'], /Write id:secret/],
    [['serve', '--token-lifetime', '10ms'], /lives a second at least/],
    [['serve', '--scale', 'huge'], /scale from 0\.01 to 100/],
    [['serve', '--scale', '50'], /at most 3\. For more, run `fixtures export`/],
    [['fixtures', '--format', 'xlsx', '--out', 'x'], /Allowed choices are ndjson, csv, sql, parquet/],
    [['fixtures', 'plot', '--runs', '0'], /whole number of at least 1/],
    [['fixtures', 'plot', '--runs', '2', '--run', 'BR-EC-0001'], /'--runs <n>' cannot be used with/],
    [
      ['fixtures', 'plot', '--scale', '0.01', '--out', '-', '--run', 'BR-0'],
      /No run that has started is called BR-0\. Give one like/,
    ],
    [['contract', 'pdf'], /Allowed choices are openapi, ddl, schemas, reference/],
  ] as [string[], RegExp][])('%j', async (args, sentence) => {
    expectSentence(await runCli(args), 2, sentence)
  })
})

describe('nobody answers: exit 4', () => {
  test.each([
    [
      'nothing listens',
      'http://127.0.0.1:4',
      /unreachable.*Nothing listens at 127\.0\.0\.1:4\. Start the server or correct the base URL/s,
    ],
    ['no such host', 'http://no-such-host.invalid', /host name no-such-host\.invalid cannot be resolved/],
  ])('%s', async (_, baseUrl, sentence) => {
    expectSentence(await runCli(['conformance', '--base-url', baseUrl, '--no-auth']), 4, sentence)
  })

  test('TLS is spoken to a server that has none', async () => {
    const plain = await serverOf((_, response) => response.end())
    const run = await runCli(['conformance', '--base-url', plain.replace('http:', 'https:'), '--no-auth'])
    expectSentence(run, 4, /127\.0\.0\.1:\d+ does not speak TLS .*with http:\/\//s)
  })

  test('the connection is closed without an answer', async () => {
    const target = await serverOf((request) => request.socket.destroy())
    expectSentence(
      await runCli(['conformance', '--base-url', target, '--no-auth']),
      4,
      /closed the connection/,
    )
  })
})

describe('something else answers: judged, exit 1', () => {
  test('HTML', async () => {
    const target = await serverOf((_, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>'),
    )
    const run = await runCli(['conformance', '--base-url', target, '--no-auth'])
    expectSentence(run, 1, /✗ fail {2}REQ-HTTP-1 .*text\/html/s)
  })

  test('a redirect is reported and not followed', async () => {
    let requests = 0
    const target = await serverOf((_, response) => {
      requests++
      response.writeHead(302, { location: 'https://login.example/' }).end()
    })
    const run = await runCli(['conformance', '--base-url', target, '--no-auth'])
    expectSentence(run, 1, /✗ fail {2}REQ-HTTP-1 .*redirect to https:\/\/login\.example\//s)
    expect(requests).toBeLessThan(5)
  })
})

test('a token that is refused leaves everything unexercised: exit 3, and the sentence says what to do', async () => {
  const target = await serverOf((_, response) => response.writeHead(401).end())
  const run = await runCli(['conformance', '--base-url', target, '--token', 'old'])
  expectSentence(run, 3, /refused the token \(HTTP 401\); pass a valid one with --token/)
})

test.each([
  ['--help', 0],
  ['contract openapi', 0],
  ['conformance --base-url http://127.0.0.1:9 --token t', 4],
])('a reader of %s that has left is no error: the exit code is that of the work, %i', async (args, code) => {
  const child = spawnCli(args.split(' '))
  child.stdout!.destroy()
  expect(await finished(child)).toEqual({ exitCode: code, stdout: '', stderr: '' })
})

describe('the server', () => {
  test('a port in use', async () => {
    const taken = new URL(await serverOf((_, response) => response.end())).host
    expectSentence(
      await runCli(['serve', '--listen', taken]),
      1,
      /is in use\. Stop the other server, or listen elsewhere/,
    )
  })

  test.each([
    [
      'an address of another machine',
      ['serve', '--listen', '192.0.2.1:0', '--token', 'x'],
      /no address of this machine/,
    ],
    ['beyond loopback without a token', ['serve', '--listen', '0.0.0.0:0'], /--token/],
    ['an address that is none', ['serve', '--listen', 'everywhere'], /host:port/],
    [
      'a ready file in no folder',
      ['serve', '--listen', '127.0.0.1:0', '--scale', '0.01', '--ready-file', 'no/such/dir/f'],
      /ready file/,
    ],
  ] as [string, string[], RegExp][])('%s', async (_, args, sentence) => {
    expectSentence(await runCli(args), 1, sentence)
  })

  test('a snapshot cache that is corrupt is built again, with one warning', async () => {
    // a project of its own: the cache stands beside the packages of the folder one works in
    const project = join(folder.dir, 'project')
    const cache = join(project, 'node_modules/.cache/bioprocess-sql')
    mkdirSync(join(project, 'node_modules'), { recursive: true })
    const start = async () => {
      const child = spawnCli(['serve', '--listen', '127.0.0.1:0', '--scale', '0.01', '--token', 't'], project)
      let said = ''
      child.stderr!.on('data', (text) => (said += String(text)))
      const [, baseUrl] = await printed(child, /serving\s+(\S+)/)
      const response = await fetch(`${baseUrl}/external/v1/statements/`, {
        method: 'POST',
        headers: { authorization: 'Bearer t', 'content-type': 'application/json' },
        body: JSON.stringify({ statement: 'SELECT id FROM v_quantities' }),
      })
      const { data } = (await response.json()) as { data: unknown[] }
      await end(child)
      return { rows: data.length, said }
    }
    expect((await start()).rows).toBe(67)
    const files = readdirSync(cache).filter((name) => readFileSync(join(cache, name)).length > 1_000_000)
    expect(files).toHaveLength(1)
    const bytes = readFileSync(join(cache, files[0]!))
    bytes.fill(7, bytes.length >> 1, (bytes.length >> 1) + 4096)
    writeFileSync(join(cache, files[0]!), bytes)
    const again = await start()
    expect(again.rows).toBe(67)
    expect(again.said).toMatch(/corrupt|damaged|checksum/i)
    expect((await start()).said).not.toMatch(/corrupt|damaged|checksum/i)
  })
})

describe('exec', () => {
  test('passes the exit code of its child on, which finds the server in its environment', async () => {
    const script = `
      const reply = await fetch(process.env.BIOPROCESS_SQL_BASE_URL + '/external/v1/statements/', { method: 'POST',
        headers: { authorization: 'Bearer ' + process.env.BIOPROCESS_SQL_TOKEN, 'content-type': 'application/json' },
        body: JSON.stringify({ statement: 'SELECT id FROM v_quantities' }) })
      process.exit((await reply.json()).data.length)`
    const run = await runCli([
      'exec',
      '--scale',
      '0.01',
      '--',
      process.execPath,
      '--input-type=module',
      '-e',
      script,
    ])
    expect(run.exitCode).toBe(67)
  })

  test('a command that does not exist', async () => {
    const run = await runCli(['exec', '--scale', '0.01', '--', 'no-such-command'])
    expectSentence(run, 1, /Cannot start the command "no-such-command"/)
  })
})

describe('fixtures', () => {
  test('are written once, never over other files', async () => {
    const out = join(folder.dir, 'plant')
    const first = await runCli(['fixtures', '--format', 'ndjson', '--scale', '0.01', '--out', out])
    expect(first.exitCode).toBe(0)
    expect(existsSync(join(out, 'manifest.json'))).toBe(true)
    const second = await runCli(['fixtures', '--format', 'ndjson', '--scale', '0.01', '--out', out])
    expectSentence(second, 1, /empty/)
  })
})

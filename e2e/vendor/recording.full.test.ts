import { once } from 'node:events'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { contract } from '../../schemas/index.ts'
import { loopbackCertificate } from '../support/loopback-certificate.ts'
import { startHttpTarget } from '../support/hostile-target.ts'
import { end, finished, printed, runCli, spawnCli, startCliServer, type CliServer } from '../support/cli.ts'

const TOKEN = 'vendor-token'
const variants = {
  'rows.shape': 'array-with-columns',
  'rows.case': 'upper',
  'attachments.shape': 'url',
  'http.success': '201',
}

let folder: string
let vendor: CliServer
let profile: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'twin-cli-'))
  profile = join(folder, 'vendor.json')
  writeFileSync(profile, JSON.stringify({ contract: 'v1', variants }))
  vendor = await startCliServer([
    '--scale',
    '0.01',
    '--token',
    TOKEN,
    '--profile',
    profile,
    '--fault',
    'latency:150ms',
  ])
})
afterAll(async () => {
  await vendor.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function ask(
  baseUrl: string,
  statement: string,
  token = TOKEN,
): Promise<{ status: number; text: string }> {
  const response = await fetch(baseUrl + contract.endpoint.path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ statement }),
  })
  return { status: response.status, text: await response.text() }
}

const recording = (out: string, ...more: string[]) => [
  'record',
  '--base-url',
  vendor.baseUrl,
  '--token',
  TOKEN,
  '--out',
  out,
  '--profile',
  profile,
  ...more,
]

test('Ctrl-C ends a recording, the same command continues it, and the twin answers as the vendor', async () => {
  const out = join(folder, 'twin')
  const child = spawnCli(recording(out, '--keep-texts'))
  const ended = finished(child)
  await new Promise<void>((resolve) =>
    child.stderr!.on('data', (text) => /v_bioprocesses/.test(String(text)) && resolve()),
  )
  child.kill('SIGINT')
  const first = await ended
  expect(first.exitCode).toBe(130)
  expect(first.stderr).toContain('Run the same command to continue.')
  const second = await runCli(recording(out, '--keep-texts'))
  expect(second.exitCode, second.stderr).toBe(0)
  expect(second.stderr).not.toContain('v_quantities:')
  expect(second.stderr).toMatch(/Recorded 4\d{4} rows with \d+ requests\./)

  const twin = await startCliServer(['--data', out, '--profile', join(out, 'profile.json'), '--token', TOKEN])
  onTestFinished(twin.stop)
  for (const statement of [
    'SELECT name, status, attachments FROM v_bioprocesses ORDER BY id',
    'SELECT quantity_id, count(*) AS n FROM v_timeseries GROUP BY quantity_id ORDER BY 1',
    'SELECT * FROM v_no_such_view',
  ])
    expect(await ask(twin.baseUrl, statement)).toEqual(await ask(vendor.baseUrl, statement))
  expect((await ask(twin.baseUrl, 'SELECT attachments FROM v_bioprocesses')).text).toContain(
    'https://files.example/',
  )
})

test('record exits with 3 when its budget is spent', async () => {
  const { exitCode, stderr } = await runCli(recording(join(folder, 'spent'), '--max-requests', '5'))
  expect(stderr).toContain('The budget is spent. Run the same command to continue')
  expect(exitCode).toBe(3)
})

describe('record refuses', () => {
  test('a profile of another version of the contract, before it sends anything', async () => {
    const older = join(folder, 'older.json')
    writeFileSync(older, JSON.stringify({ contract: 'v0', variants: {} }))
    const args = ['record', '--base-url', 'http://127.0.0.1:1', '--token', 't', '--out', join(folder, 'a')]
    const { exitCode, stderr } = await runCli([...args, '--profile', older])
    expect(stderr).toContain('is for contract v0')
    expect(exitCode).toBe(2)
  })

  test.each([
    ['no base URL', ['--token', 't'], 'Give --base-url'],
    ['no token', ['--base-url', 'http://127.0.0.1:1'], 'The service needs a token'],
    [
      'a short key',
      ['--base-url', 'http://127.0.0.1:1', '--token', 't', '--pseudonym-key', 'x'],
      'too short',
    ],
  ])('%s', async (_, args, message) => {
    const { exitCode, stderr } = await runCli(['record', '--out', join(folder, 'b'), ...args])
    expect(stderr).toContain(message)
    expect(exitCode).toBe(2)
  })

  test('a wrong token, with a sentence', async () => {
    const args = [
      'record',
      '--base-url',
      vendor.baseUrl,
      '--token',
      'wrong',
      '--out',
      join(folder, 'c'),
      '--no-profile',
    ]
    const { exitCode, stderr } = await runCli(args)
    expect(stderr).toContain('rejects the access token')
    expect(exitCode).toBe(1)
  })
})

describe('proxy', () => {
  test('prints a report on request and at the end, and its exit code tells whether a must was broken', async () => {
    const store = join(folder, 'seen')
    const child = spawnCli(['proxy', '--target', vendor.baseUrl, '--judge', '--store', store])
    const output = finished(child)
    const [, origin] = await printed(child, /listening\s+(\S+)/)
    const direct = await ask(vendor.baseUrl, 'SELECT id, name FROM v_quantities LIMIT 3')
    expect(await ask(origin!, 'SELECT id, name FROM v_quantities LIMIT 3')).toEqual(direct)
    child.kill('SIGUSR2')
    await printed(child, /REQ-SQL-3/)
    await fetch(origin! + contract.endpoint.path, { method: 'POST', body: '{}' })
    child.kill('SIGINT')
    const { exitCode, stdout } = await output
    expect(stdout).toContain('2 exchanges')
    expect(stdout).toMatch(/✗ fail\s+REQ-AUTH-4/)
    expect(exitCode).toBe(1)
    const text = readFileSync(join(store, 'exchanges.ndjson'), 'utf8')
    expect(text.trim().split('\n').length).toBe(2)
    expect(text).not.toContain(TOKEN)
  })

  test('passes traffic on with a store that is full, and exits with 3 and a report', async () => {
    const store = join(folder, 'full')
    mkdirSync(store)
    symlinkSync('/dev/full', join(store, 'exchanges.ndjson'))
    const child = spawnCli(['proxy', '--target', vendor.baseUrl, '--store', store])
    const output = finished(child)
    const [, origin] = await printed(child, /listening\s+(\S+)/)
    expect((await ask(origin!, 'SELECT id FROM v_quantities LIMIT 1')).status).toBe(201)
    child.kill('SIGINT')
    const { exitCode, stdout, stderr } = await output
    expect(stderr).toContain('(ENOSPC). Traffic passes')
    expect(stdout).toContain('1 exchanges were not stored')
    expect(exitCode).toBe(3)
  })

  test('does not repeat a password of --target', async () => {
    for (const target of ['http://u:of-mine@127.0.0.1:1', 'u:of-mine@127.0.0.1:1']) {
      const { exitCode, stdout, stderr } = await runCli(['proxy', '--target', target])
      expect(stdout + stderr).not.toContain('of-mine')
      expect(exitCode).toBe(2)
    }
  })

  test('reaches a service over TLS with the authorities of --ca, and gives no answer without them', async () => {
    const service = https.createServer(
      loopbackCertificate,
      (_, outgoing) => void outgoing.end('{"over":"TLS"}'),
    )
    service.listen(0, '127.0.0.1')
    await once(service, 'listening')
    onTestFinished(() => void service.close())
    const ca = join(folder, 'ca.pem')
    writeFileSync(ca, loopbackCertificate.cert)
    const target = `https://localhost:${(service.address() as AddressInfo).port}`
    for (const [flags, answers] of [
      [['--ca', ca], true],
      [[], false],
    ] as const) {
      const child = spawnCli(['proxy', '--target', target, ...flags])
      const output = finished(child)
      const [, origin] = await printed(child, /listening\s+(\S+)/)
      const asked = ask(origin!, 'SELECT 1').then(
        ({ text }) => text,
        () => undefined,
      )
      expect(await asked).toBe(answers ? '{"over":"TLS"}' : undefined)
      child.kill('SIGINT')
      if (!answers) expect((await output).stderr).toMatch(/CERT/)
      await output
    }
  })

  test('listens for other machines only if told to', async () => {
    const { exitCode, stderr } = await runCli([
      'proxy',
      '--target',
      'http://127.0.0.1:1',
      '--listen',
      '0.0.0.0:0',
    ])
    expect(stderr).toContain('add --any-interface')
    expect(exitCode).toBe(2)
    const child = spawnCli([
      'proxy',
      '--target',
      'http://127.0.0.1:1',
      '--listen',
      '0.0.0.0:0',
      '--any-interface',
    ])
    await printed(child, /listening/)
    const gone = once(child, 'close')
    await end(child)
    await gone
  })
})

test('record exits with 3 and names the view if it leaves all its rows out', async () => {
  const row = {
    id: 'q1',
    name: 'pH',
    alternative_names: [],
    is_timeseries: true,
    data_type: 'numeric',
    default_unit: '1',
    default_ingestion_unit: '1',
    base_units: {},
    molar_mass: null,
    notes: null,
    last_updated_at: 'yesterday',
  }
  const target = await startHttpTarget((response, _, request) => {
    request.on('data', (statement) => {
      const data = String(statement).includes('FROM v_quantities') ? [row] : []
      response.end(JSON.stringify({ data, status: { state: 'success', message: 'ok' } }))
    })
  })
  onTestFinished(target.close)
  const args = ['--base-url', target.baseUrl, '--no-auth', '--no-profile', '--out', join(folder, 'left-out')]
  const { exitCode, stderr } = await runCli(['record', ...args])
  expect(stderr).toContain('All rows of v_quantities are left out. The lines above tell why')
  expect(stderr).toContain(
    'v_quantities: 0 rows, incomplete. 1 rows that serve --data would reject are left out.',
  )
  expect(exitCode).toBe(3)
})

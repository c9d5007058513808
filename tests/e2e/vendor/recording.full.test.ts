import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { contract } from '../../../schemas/index.ts'
import { startHttpTarget } from '../support/hostile-target.ts'
import { finished, runCli, spawnCli, startCliServer, type CliServer } from '../support/cli.ts'
import { parseCli } from '../support/parse-cli.ts'

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
    const { exitCode, stderr } = await parseCli([...args, '--profile', older])
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
    const { exitCode, stderr } = await parseCli(['record', '--out', join(folder, 'b'), ...args])
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
    const { exitCode, stderr } = await parseCli(args)
    expect(stderr).toContain('rejects the access token')
    expect(exitCode).toBe(1)
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
  const { exitCode, stderr } = await parseCli(['record', ...args])
  expect(stderr).toContain('All rows of v_quantities are left out. The lines above tell why')
  expect(stderr).toContain(
    'v_quantities: 0 rows, incomplete. 1 rows that serve --data would reject are left out.',
  )
  expect(exitCode).toBe(3)
})

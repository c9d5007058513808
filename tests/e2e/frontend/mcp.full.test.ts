import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { scenarios, startServer } from '../../../mock/index.ts'
import { ask } from '../support/ask.ts'
import { builtCli, finished, root, spawnCli, type Finished } from '../support/cli.ts'
import { parseCli } from '../support/parse-cli.ts'

const [mockToken, serviceToken] = ['token-of-the-mock', 'token-of-the-service']
const service = await startServer({ scale: 0.01, token: serviceToken, variants: { 'rows.shape': 'array' } })
const clients: Client[] = []
const told: string[] = []
let stderr = ''

/** Starts the command, and a client of the SDK that talks to it. */
async function connect(...flags: string[]): Promise<Client> {
  const args = [builtCli, 'mcp', '--scale', '0.01', '--token', mockToken, ...flags]
  const transport = new StdioClientTransport({ command: process.execPath, args, stderr: 'pipe' })
  transport.stderr!.on('data', (text) => (stderr += String(text)))
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(transport)
  clients.push(client)
  return client
}

/** Calls a tool. @returns its text, with a mark for an error */
async function call(client: Client, name: string, args: object = {}, onprogress = () => {}): Promise<string> {
  const { content, isError } = await client.callTool(
    { name, arguments: { ...args } },
    { onprogress, timeout: 120_000, resetTimeoutOnProgress: true },
  )
  const { text } = (content as { text: string }[])[0]!
  told.push(text)
  return isError ? `error: ${text}` : text
}

const toolsOf = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name)
const served = async (client: Client) => /http:\S+\d/.exec(client.getInstructions()!)![0]

let reader: Client
let writer: Client
beforeAll(async () => {
  reader = await connect()
  writer = await connect('--allow-write', '--service-url', service.baseUrl, '--service-token', serviceToken)
})
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()))
  await service.close()
})

/** The text of a resource. */
async function read(name: string): Promise<string> {
  const { contents } = await reader.readResource({ uri: `bioprocess-sql://${name}` })
  return (contents as { text: string }[])[0]!.text
}

describe('the resources', () => {
  test('have less than 10 kB each', async () => {
    const { resources } = await reader.listResources()
    for (const { name } of resources) expect(Buffer.byteLength(await read(name)), name).toBeLessThan(10_000)
  })

  test('are the overview, the open points, the scenarios, and lists of sections, views and checks with the parts that they name', async () => {
    const { resources } = await reader.listResources()
    const names = resources.map(({ name }) => name)
    expect(names.filter((name) => !name.includes('/'))).toEqual([
      'overview',
      'contract',
      'views',
      'checks',
      'open-points',
      'scenarios',
    ])
    for (const list of ['contract', 'views', 'checks']) {
      const linked = (await read(list)).match(/(?<=bioprocess-sql:\/\/)[^)]*/g)
      expect(linked).toEqual(names.filter((name) => name.startsWith(`${list}/`)))
    }
    expect(names.filter((name) => name.startsWith('views/'))).toHaveLength(9)
    expect(await read('contract/statements')).toContain('REQ-SQL-3')
    expect(JSON.parse(await read('views/v_quantities'))).toMatchObject({ name: 'v_quantities' })
    expect(await read('checks/sql')).toMatch(/^- `sql\.limit`: MUST/m)
    expect(await read('open-points')).toContain('`rows.shape`: ')
    expect(JSON.parse(await read('scenarios'))).toContainEqual(
      expect.objectContaining({ name: 'one-run', ids: scenarios['one-run'].ids }),
    )
  })

  test('are the whole contract together', async () => {
    const page = readFileSync(join(root, 'docs/contract.md'), 'utf8')
    const links = (await read('contract')).match(/(?<=bioprocess-sql:\/\/)[^)]*/g)!
    const sections = await Promise.all(links.map(read))
    expect(page.endsWith(sections.join(''))).toBe(true)
  })
})

test('nothing can be changed without --allow-write', async () => {
  expect(await toolsOf(reader)).toEqual(['ask', 'explain', 'list_requests', 'judge', 'exchanges', 'compare'])
  expect(await toolsOf(writer)).toEqual([...(await toolsOf(reader)), 'arm', 'put_rows', 'reset'])
  await expect(call(reader, 'put_rows', { rows: {} })).rejects.toThrow(/put_rows/)
})

test('ask answers the rows of a statement, as many as are asked for, and the error of a wrong one', async () => {
  const statement = 'SELECT id, name FROM v_bioprocesses'
  const text = await call(reader, 'ask', { statement, max_rows: 2 })
  const { rows, first, status } = JSON.parse(text.replace('HTTP 200\n', '')) as Record<string, unknown>
  expect(rows).toBeGreaterThan(2)
  expect(first).toHaveLength(2)
  expect(status).toMatchObject({ state: 'success' })
  expect(await call(reader, 'ask', { statement: 'SELEC' })).toContain('"state": "error"')
  const all = await call(reader, 'ask', {
    statement: 'SELECT * FROM v_timeseries_data LIMIT 2000',
    max_rows: 1000,
  })
  expect(all).toMatch(/… \d+ more characters\. Ask for fewer/)
})

test('explain explains checks, requirements and open points, and an unknown id is an error with the remedy', async () => {
  expect(await call(reader, 'explain', { id: 'rows.shape' })).toContain('array')
  expect(await call(reader, 'explain', { id: 'REQ-SQL-3' })).toContain('LIMIT')
  expect(await call(reader, 'explain', { id: 'none' })).toMatch(/^error: There is no check, .* "none"/)
  expect(await call(writer, 'explain', { id: serviceToken })).toMatch(
    /^error: There is no check, .*\[token\]/,
  )
})

describe('judge', () => {
  test('judges the mock and the service, and reports its progress', async () => {
    let steps = 0
    const report = await call(writer, 'judge', { target: 'service', only: ['sql.*'] }, () => steps++)
    expect(report).toContain(service.baseUrl)
    expect(report).toContain('REQ-SQL-3')
    expect(steps).toBeGreaterThan(10)
    expect(await call(writer, 'judge', { target: 'mock', only: ['sql.limit'] })).toContain(
      await served(writer),
    )
  })

  test('takes one id, or a list in one text, for only', async () => {
    const report = await call(writer, 'judge', { target: 'mock', only: 'sql.limit-zero, sql.limit-accepted' })
    expect(report).toMatch(/2 passed, 0 failed/)
    expect(await call(writer, 'judge', { target: 'mock', only: '' })).toMatch(/^error: No check matches ""/)
  })

  test('refuses a service that was not named, and an unknown check', async () => {
    expect(await call(reader, 'judge', { target: 'service' })).toMatch(/^error: .* --service-url/)
    expect(await call(reader, 'judge', { only: ['none'] })).toMatch(/^error: .*none/)
  })

  test('numbers its runs, of which two are compared', async () => {
    const one = await connect('--allow-write')
    expect(await call(one, 'compare')).toBe(
      'error: There are 0 runs. Call judge once more, or name two of them.',
    )
    expect(await call(one, 'judge', { only: 'timestamps.zone' })).toMatch(/^run 1\n/)
    await call(one, 'arm', { variants: { 'timestamps.format': 'no-zone' } })
    expect(await call(one, 'judge', { only: 'timestamps.zone' })).toMatch(/^run 2\n/)
    expect(await call(one, 'compare')).toMatch(
      /^The verdict was .*\ntimestamps\.zone: was pass and is now fail/,
    )
    expect(await call(one, 'compare', { before: 2, after: 1 })).toMatch(/^Nothing is worse\./)
    expect(await call(one, 'compare', { before: 1, after: 3 })).toMatch(/^error: There are 2 runs/)
  })
})

test('arm, put_rows and reset change the mock for an application, and list_requests shows its requests', async () => {
  const application = { baseUrl: await served(writer), token: mockToken }
  const statement = "SELECT name FROM v_quantities WHERE id = 'q1'"
  await call(writer, 'put_rows', { rows: { v_quantities: [{ id: 'q1', name: 'Colour' }] } })
  expect(await ask(application, statement)).toMatchObject({ rows: [{ name: 'Colour' }] })
  await call(writer, 'arm', { variants: { 'rows.shape': 'array' }, next: 1 })
  expect(await ask(application, statement)).toMatchObject({ rows: [['Colour']] })
  await call(writer, 'arm', { faults: 'status:503' })
  const requests = JSON.parse(
    await call(writer, 'list_requests', { statement: 'v_quantities where id' }),
  ) as object[]
  expect(requests).toHaveLength(2)
  await call(writer, 'reset')
  expect(await ask(application, statement)).toMatchObject({ rows: [] })
  expect(await call(writer, 'arm')).toBe('error: Give variants, or faults without next.')
  expect(await call(writer, 'arm', { variants: { 'rows.shape': 'none' } })).toMatch(/^error: .*rows\.shape/)
  expect(await call(writer, 'put_rows', { rows: { v_none: [{}] } })).toMatch(/^error: .*v_none/)
})

test('a reply that is too large, and a token in a statement, are not passed on', async () => {
  const points = 'v_timeseries_data'
  const large = `SELECT * FROM ${points} one, ${points} other LIMIT 100000`
  expect(await call(reader, 'ask', { statement: large })).toBe(
    'error: The reply is too large. Add LIMIT, or name fewer columns.',
  )
  expect(await call(reader, 'ask', { statement: `SELECT '${mockToken}' AS id` })).toContain('"[token]"')
  expect(await call(writer, 'ask', { statement: `SELECT '${serviceToken}' AS id` })).toContain('"[token]"')
})

/** Starts the command and sends messages to it. @returns its end */
function send(...messages: object[]): { child: ChildProcess; ended: Promise<Finished> } {
  const child = spawnCli(['mcp', '--scale', '0.01', '--token', mockToken])
  // the command ends while it is written to
  child.stdin!.on('error', () => {})
  const hello = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  }
  const lines = [
    { id: 1, method: 'initialize', params: hello },
    { method: 'notifications/initialized' },
    ...messages,
  ]
  for (const line of lines) child.stdin!.write(`${JSON.stringify({ jsonrpc: '2.0', ...line })}\n`)
  return { child, ended: finished(child) }
}

describe('the command ends', () => {
  test('with its client, also in the middle of a judgement', async () => {
    const params = { name: 'judge', arguments: {}, _meta: { progressToken: 1 } }
    const { child, ended } = send({ id: 2, method: 'tools/call', params })
    await new Promise<void>((resolve) => {
      child.stdout!.on('data', (text) => String(text).includes('notifications/progress') && resolve())
    })
    child.stdin!.end()
    expect(await ended).toMatchObject({ exitCode: 0, stderr: expect.not.stringContaining('Unexpected') })
  })

  test('after a message that is too large, and says so', async () => {
    const rows = { v_quantities: [{ id: 'x'.repeat(2 ** 24) }] }
    const { ended } = send({ id: 2, method: 'tools/call', params: { name: 'put_rows', arguments: { rows } } })
    expect(await ended).toMatchObject({
      exitCode: 0,
      stderr: expect.stringMatching(/The connection to the client: .*exceeded/),
    })
  })
})

test('no answer and no line of the log has a token', () => {
  expect(told.length).toBeGreaterThan(15)
  expect(told.filter((text) => text.includes(mockToken) || text.includes(serviceToken))).toEqual([])
  expect(stderr).toContain('The mock serves http://127.0.0.1:')
  expect(stderr).not.toMatch(/token-of/)
})

test('a token of a service without its address ends with exit code 2', async () => {
  const { exitCode, stderr: error } = await parseCli(['mcp', '--service-token', 'x'])
  expect([exitCode, error]).toEqual([2, expect.stringContaining('--service-token needs --service-url')])
})

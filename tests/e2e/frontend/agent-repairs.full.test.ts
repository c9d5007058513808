import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { builtCli, end, printed, root, runCli } from '../support/cli.ts'
import { freePort } from '../support/postgres/programs.ts'

/** What an agent finds in the service of a vendor, each with the mend. The first is in the example, the others are planted. */
const faults = [
  {
    check: 'errors.unknown-view:alone',
    broken: '    return "Error executing statement"',
    mended: `    if text.startswith("no such table: "):
        return f'relation "{text.removeprefix("no such table: ")}" does not exist'
    return "Error executing statement"`,
    shown: 'Error executing statement',
  },
  {
    check: 'auth.invalid-token',
    broken: 'if not self.headers.get("Authorization"):',
    mended: 'if self.headers.get("Authorization") != f"Bearer {TOKEN}":',
    shown: '"state": "success"',
  },
  {
    check: 'sql.limit',
    broken: 'for row in cursor.fetchall()[:-1]]',
    mended: 'for row in cursor]',
    shown: 'LIMIT 2',
  },
]

interface Exchange {
  request: string
  body: string
}

const folder = mkdtempSync(join(tmpdir(), 'agent-'))
const port = String(await freePort())
const token = 'token-of-the-service'
let service: ChildProcess
let agent: Client

/** Starts the service anew, with the faults that are left. */
async function serve(left: typeof faults): Promise<void> {
  if (service) await end(service)
  const sound = faults.reduce(
    (text, { broken, mended }) => text.replace(broken, mended),
    readFileSync(join(root, 'examples/story-vendor/service.py'), 'utf8').replace('4031', port),
  )
  const text = left.reduce((one, { broken, mended }) => one.replace(mended, broken), sound)
  writeFileSync(join(folder, 'service.py'), text)
  service = spawn('python3', ['service.py'], { cwd: folder, env: { ...process.env, TOKEN: token } })
  await printed(service, /Listening/)
}

async function call(name: string, args: object): Promise<string> {
  const { content, isError } = await agent.callTool({ name, arguments: { ...args } }, { timeout: 120_000 })
  const { text } = (content as { text: string }[])[0]!
  expect(isError, text).toBeFalsy()
  return text
}

async function read(uri: string): Promise<string> {
  const { contents } = await agent.readResource({ uri })
  return (contents as { text: string }[])[0]!.text
}

/** The resource that has a text, of those that a resource lists. */
async function sectionWith(text: string): Promise<string> {
  for (const [, uri] of (await read('bioprocess-sql://contract')).matchAll(/\((bioprocess-sql:[^)]*)\)/g)) {
    const section = await read(uri!)
    if (section.includes(text)) return section
  }
  throw new Error(`No section of the contract has ${text}.`)
}

beforeAll(async () => {
  cpSync(join(root, 'examples/story-vendor/load.py'), join(folder, 'load.py'))
  await runCli([
    'fixtures',
    'export',
    '--scale',
    '0.01',
    '--format',
    'ndjson',
    '--out',
    join(folder, 'plant'),
  ])
  execFileSync('python3', ['load.py', 'plant'], { cwd: folder })
  await serve(faults)
  const args = [
    'mcp',
    '--scale',
    '0.01',
    '--service-url',
    `http://127.0.0.1:${port}`,
    '--service-token',
    token,
  ]
  agent = new Client({ name: 'test', version: '1.0.0' })
  await agent.connect(new StdioClientTransport({ command: process.execPath, args: [builtCli, ...args] }))
})
afterAll(async () => {
  await agent?.close()
  if (service) await end(service)
  rmSync(folder, { recursive: true })
})

test('an agent finds three faults of a service, reads what is asked for, and sees that its mend changes nothing else', async () => {
  const only = ['sql.limit', 'auth.*', 'errors.unknown-view:*']
  const report = await call('judge', { only })
  for (const { check, shown } of faults) {
    expect(report).toMatch(new RegExp(`✗ fail  \\S+  ${check}`))
    const explained = await call('explain', { id: check })
    const [, requirement] = /^\S+ {2}(\S+)/.exec(explained)!
    expect(explained).toContain('catches')
    expect(await sectionWith(requirement!)).toContain('MUST')
    const [{ exchanges }] = JSON.parse(await call('exchanges', { check })) as [{ exchanges: Exchange[] }]
    expect(exchanges.map(({ request, body }) => `${request} ${body}`).join()).toContain(shown)
  }
  await serve([])
  expect(await call('judge', { only })).toContain('0 failed')
  const compared = await call('compare', {})
  expect(compared).toMatch(/^Nothing is worse\./)
  for (const { check } of faults) expect(compared).toContain(check)
})

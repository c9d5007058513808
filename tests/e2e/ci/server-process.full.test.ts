import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { ask } from '../support/ask.ts'
import { builtCli, end, finished, printed, root, runCli, serving, spawnCli } from '../support/cli.ts'

const children: ChildProcess[] = []
afterAll(() => Promise.all(children.map(end)))

/** Waits as long as a busy machine needs. */
const eventually = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 30_000 })

/** Starts `serve` in a shell, with the redirections and limits of the script. */
function serve(script: string, ...options: string[]): ChildProcess {
  const command = [
    process.execPath,
    builtCli,
    'serve',
    '--listen',
    '127.0.0.1:0',
    '--scale',
    '0.01',
    ...options,
  ]
  const child = spawn('bash', ['-c', script.replace('SERVE', 'exec "$@"'), 'bash', ...command], { cwd: root })
  children.push(child)
  return child
}

test('a server tells the time of its plant in SQL, and with --database-clock real the real one', async () => {
  const small = ['--as-of', '2020-01-01T00:00:00Z', '--runs', '1'] as const
  const [plant, real] = [[], ['--database-clock', 'real']].map((options) =>
    serving(serve('SERVE', '--token', 't', ...small, ...options)),
  )
  const told = 'SELECT extract(year FROM now()) AS year'
  const answers = await Promise.all(
    [plant!, real!].map(async (starting) => {
      const { baseUrl, stop } = await starting
      const { rows } = await ask({ baseUrl, token: 't' }, told)
      await stop()
      return rows
    }),
  )
  expect(answers).toEqual([[{ year: 2020 }], [{ year: new Date().getUTCFullYear() }]])
})

describe('a server whose log cannot be written', () => {
  test.each([
    ['to a full disk', 'SERVE 2>/dev/full'],
    ['beyond the largest file', 'ulimit -f 0; SERVE 2>"$(mktemp)"'],
    ['to a reader that has gone', 'SERVE 2> >(exit 0)'],
  ])('%s serves on, and says how many lines it lost', async (_, script) => {
    const server = { ...(await serving(serve(script, '--token', 't'))), token: 't' }
    const about = async (path: string) => (await fetch(`${server.baseUrl}/_mock/${path}`)).text()
    for (const n of [1, 2, 3]) expect((await ask(server, `SELECT ${n} AS n`)).rows).toEqual([{ n }])
    await eventually(async () =>
      expect(JSON.parse(await about('health'))).toMatchObject({ droppedLogLines: 3 }),
    )
    expect(await about('metrics')).toContain('\nbioprocess_sql_log_lines_dropped_total 3\n')
    expect((await ask(server, 'SELECT 4 AS n')).rows).toEqual([{ n: 4 }])
    await server.stop()
  })

  test('because nobody reads it, counts the lines beyond its buffer and stops after a signal', async () => {
    // the server itself holds the pipe open
    const unread = 'f=$(mktemp -u); mkfifo "$f"; exec 9<>"$f" 2>"$f"; rm "$f"; SERVE'
    const child = serve(unread, '--token', 't', '--log-format', 'json')
    const { baseUrl } = await serving(child)
    // characters that the log writes as six bytes
    const long = `SELECT '${'\u200b'.repeat(200)}' AS n`
    const lost = async () =>
      ((await (await fetch(`${baseUrl}/_mock/health`)).json()) as { droppedLogLines: number }).droppedLogLines
    for (let sent = 0; sent < 4000 && (await lost()) === 0; sent += 100)
      await Promise.all(Array.from({ length: 100 }, () => ask({ baseUrl, token: 't' }, long)))
    expect(await lost()).toBeGreaterThan(0)
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([0, null])
  })
})

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

describe('a signal that ends a server', () => {
  test.each(signals)('%s also ends its start', async (signal) => {
    const silent = createServer().listen(0, '127.0.0.1')
    await once(silent, 'listening')
    onTestFinished(() => void silent.close())
    const { port } = silent.address() as AddressInfo
    const url = `postgres://reader@127.0.0.1:${port}/plant`
    const child = spawnCli(['serve', '--listen', '127.0.0.1:0', '--token', 't', '--database', url])
    children.push(child)
    await once(silent, 'connection')
    const ended = finished(child)
    child.kill(signal)
    const { exitCode, stderr } = await ended
    expect(exitCode).toBe(0)
    expect(stderr).toMatch(new RegExp(`Stopping after ${signal}\\.\n.*Stopped\\.\n$`))
  })
})

test.concurrent.each(signals)(
  '%s that ends a server lets a running statement end, and its lines of the log have times',
  async (signal) => {
    // long enough for the signal to come first, and shorter than the 5 s that a server waits
    const child = serve('SERVE', '--token', 't', '--fault', 'latency:3s')
    const server = { ...(await serving(child)), token: 't' }
    const ended = finished(child)
    const answer = ask(server, 'SELECT 1 AS n')
    await eventually(async () =>
      expect(await (await fetch(`${server.baseUrl}/_mock/faults`)).text()).toContain('"triggered":1'),
    )
    child.kill(signal)
    expect((await answer).rows).toEqual([{ n: 1 }])
    expect(await ended).toMatchObject({ exitCode: 0 })
    for (const line of server.log().trimEnd().split('\n'))
      expect(line).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z \S/)
    expect(server.log()).toMatch(/Stopping after SIG\w+\.\n[^]*Z 200 success \d+ ms \d+ B SELECT 1 AS n\n/)
  },
)

describe.concurrent('a server with --drain', () => {
  test('says 503 and answers statements for this time, and then stops', async () => {
    const child = serve('SERVE', '--token', 't', '--drain', '5s')
    const server = { ...(await serving(child)), token: 't' }
    child.kill('SIGTERM')
    const ready = () => fetch(`${server.baseUrl}/_mock/ready`)
    await eventually(async () => expect((await ready()).status).toBe(503))
    expect(await (await ready()).json()).toEqual({ ready: false })
    expect((await ask(server, 'SELECT 1 AS n')).rows).toEqual([{ n: 1 }])
    const [code] = (await once(child, 'exit')) as [number]
    expect(code).toBe(0)
    await expect(ready()).rejects.toThrow('fetch failed')
  })

  test('ends at once after a second signal', async () => {
    const child = serve('SERVE', '--token', 't', '--drain', '10m')
    const { baseUrl } = await serving(child)
    child.kill('SIGTERM')
    await eventually(async () => expect((await fetch(`${baseUrl}/_mock/ready`)).status).toBe(503))
    child.kill('SIGINT')
    expect(await once(child, 'exit')).toEqual([130, null])
  })
})

/** The printed lines up to the command to try. */
const printedLines = async (...options: string[]) => {
  const child = serve('SERVE', '--variant', 'auth.mode=client-credentials', ...options)
  const { input } = await printed(child, /^[^]*try .*\n/)
  await end(child)
  return input
}

describe('the start of a server prints', () => {
  test('no token and no secret that were chosen, but the variables to set first', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'token-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    writeFileSync(join(folder, 'token'), 'chosen-token')
    const token = ['--token', `@${join(folder, 'token')}`]
    const withClient = await printedLines(...token, '--client', 'app:chosen-secret')
    expect(withClient).toContain(`first     TOKEN=$(cat '${join(folder, 'token')}')\n`)
    expect(withClient).toContain('first     CLIENT_SECRET=<your secret>\n')
    expect(withClient).toContain(' -u "app:$CLIENT_SECRET" ')
    expect(withClient).toContain(' -H "Authorization: Bearer $TOKEN" ')
    const withDefault = await printedLines('--token', 'chosen-token')
    expect(withDefault).toContain('first     TOKEN=<your token>\n')
    expect(withDefault).toContain(' -u "development:$TOKEN" ')
    expect(withClient + withDefault).not.toMatch(/chosen|^token/m)
  })

  test.skipIf(spawnSync('script', ['--version']).status !== 0)(
    'on a terminal a command that runs as it is, with the token that was typed there',
    async () => {
      const child = serve(`exec script -qefc "$(printf '%q ' "$@")" /dev/null`, '--token', 'typed')
      const [, command] = await printed(child, /^try +(curl .*')/m)
      const { stdout } = await finished(spawn('bash', ['-c', command!]))
      await end(child)
      expect(JSON.parse(stdout)).toMatchObject({ status: { state: 'success' } })
    },
  )

  test('the token that it made', async () => {
    const lines = await printedLines()
    const [, token] = /^token +(\S+)$/m.exec(lines)!
    expect(lines).toContain(` -u "development:${token}" `)
    expect(lines).toContain(` -H "Authorization: Bearer ${token}" `)
  })
})

test.each([
  ['contract', 'openapi'],
  ['completion', 'bash'],
  ['exec', '--help'],
  ['conformance', '--list'],
])(
  '%s %s whose result cannot be written fails with a sentence, and says that this is no bug',
  async (...args) => {
    const child = spawn('bash', ['-c', 'exec "$@" >/dev/full', 'bash', process.execPath, builtCli, ...args])
    expect(await finished(child)).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: 'bioprocess-sql: Cannot write the output (ENOSPC). Make room, or write it to another place.\n',
    })
  },
)

describe('a server with a log in JSON', () => {
  test('prints nothing else from its start to its stop, and only a token that it made itself', async () => {
    for (const given of [['--token', 'chosen'], []]) {
      const child = serve('SERVE', '--log-format', 'json', ...given)
      const ended = finished(child)
      const started = JSON.parse(String((await once(child.stdout!, 'data'))[0])) as Record<string, string>
      expect(started).toMatchObject({ level: 'info', message: 'Serving.' })
      const target = { baseUrl: started['baseUrl']!, token: started['token'] ?? 'chosen' }
      expect(target.token === 'chosen').toBe(given.length > 0)
      await ask(target, 'SELECT 1 AS n')
      await ask({ ...target, token: 'wrong' }, 'SELECT 1 AS n')
      child.kill('SIGTERM')
      const { exitCode, stderr } = await ended
      const lines = stderr
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>)
      expect(exitCode).toBe(0)
      expect(lines).toMatchObject([
        { level: 'info', status: 200, state: 'success', statement: 'SELECT 1 AS n' },
        { level: 'warn', status: 401, state: 'error' },
        { level: 'info', message: 'Stopping after SIGTERM.' },
        { level: 'info', message: 'Stopped.' },
      ])
      for (const { time } of lines) expect(new Date(String(time)).toISOString()).toBe(time)
    }
  })

  test.each([['--no-such'], ['--fault', 'lag'], ['--config', 'no/such.json']])(
    'tells what is wrong with %s in JSON too',
    async (...options) => {
      const { exitCode, stderr } = await runCli(['serve', '--log-format', 'json', ...options])
      expect(exitCode).toBe(2)
      for (const line of stderr.trimEnd().split('\n'))
        expect(JSON.parse(line)).toMatchObject({ level: 'error', message: expect.any(String) })
    },
  )
})

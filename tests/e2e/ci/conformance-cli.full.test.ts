import { readFileSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:https'
import { connect, type AddressInfo } from 'node:net'
import type { Server } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { validators, type Baseline, type ConformanceReport } from '../../../schemas/index.ts'
import { finished, spawnCli } from '../support/cli.ts'
import { startHttpTarget, type HostileTarget } from '../support/hostile-target.ts'
import { loopbackCertificate } from '../support/loopback-certificate.ts'
import { scratch } from '../support/vendor.ts'

const folder = scratch()
const file = (name: string) => join(folder.dir, name)
afterAll(() => folder.remove())

const none = '{"data":[],"status":{"state":"success","message":"no results"}}'

/** Runs `conformance` against a target and reads its report; `env` is added to the environment. */
async function conformance(baseUrl: string, args: string[], env: NodeJS.ProcessEnv = {}) {
  const before = { ...process.env }
  Object.assign(process.env, env)
  const report = file('report.json')
  writeFileSync(report, 'null')
  const only = ['--only', 'http.state', '--only', 'http.empty-data', '--time-limit', '1s']
  const child = spawnCli([
    'conformance',
    '--base-url',
    baseUrl,
    '--report',
    `json=${report}`,
    ...only,
    ...args,
  ])
  process.env = before
  const ended = await finished(child)
  return { ...ended, report: JSON.parse(readFileSync(report, 'utf8')) as ConformanceReport }
}

/** An answer whose state the contract does not have. */
const unknownState = none.replace('success', 'done')

describe('a baseline', () => {
  let target: HostileTarget
  let answer = unknownState
  beforeAll(async () => {
    target = await startHttpTarget((response) => response.writeHead(200).end(answer))
  })
  afterAll(() => target.close())

  test('is written, needs reasons, waives failures, and fails when an entry is obsolete', async () => {
    const known = file('known.json')
    const read = () => JSON.parse(readFileSync(known, 'utf8')) as Baseline
    const token = ['--token', 't0ken', '--allow-incomplete']

    const written = await conformance(target.baseUrl, [...token, '--write-baseline', known])
    expect([written.exitCode, written.stderr]).toEqual([
      1,
      expect.stringContaining('Replace the TODO of 1 with its reason'),
    ])
    expect(validators.baseline(read())).toBe(true)
    expect(Object.keys(read().waivers)).toEqual(['http.state'])

    const unexplained = await conformance(target.baseUrl, [...token, '--baseline', known])
    expect([unexplained.exitCode, unexplained.stderr]).toEqual([
      2,
      expect.stringContaining('waives http.state without a reason'),
    ])

    const waivers = { 'http.state': { reason: 'ticket 7' } }
    writeFileSync(known, JSON.stringify({ contract: 'v1', waivers }))
    const waived = await conformance(target.baseUrl, [...token, '--baseline', known])
    expect([waived.exitCode, waived.report.verdict, waived.report.counts.waived]).toEqual([
      0,
      'incomplete',
      1,
    ])
    expect(waived.report.reasons).toContain('REQ-HTTP-5 (http.state) is waived: ticket 7')

    answer = none
    const stale = await conformance(target.baseUrl, [
      ...token,
      '--baseline',
      known,
      '--write-baseline',
      known,
    ])
    expect([stale.exitCode, stale.report.verdict]).toEqual([1, 'non-conformant'])
    expect(stale.report.reasons).toEqual([
      'REQ-HTTP-5 (http.state) passes: remove its entry from the baseline.',
    ])
    expect(read().waivers).toEqual({})
    answer = unknownState
  })
})

test('a token command runs again when its token is refused, and the report contains no token', async () => {
  const counter = file('counter')
  writeFileSync(counter, '')
  const command = `printf x >> ${counter} && printf 'issued-%s' "$(wc -c < ${counter} | tr -d ' ')"`
  const target = await startHttpTarget((response, n, { headers }) => {
    const valid = n <= 2 ? 'issued-1' : 'issued-2'
    response.writeHead(headers.authorization === `Bearer ${valid}` ? 200 : 401).end(none)
  })
  const { report, stderr } = await conformance(target.baseUrl, ['--token-command', command])
  await target.close()
  expect(report.notes).toEqual(['The token was refused and renewed once.'])
  expect(report.counts).toMatchObject({ pass: 2, fail: 0 })
  expect(JSON.stringify(report) + stderr).not.toMatch(/issued-\d/)
})

describe('the connection to the target', () => {
  const servers: Server[] = []
  const listen = async (server: Server) => {
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return `127.0.0.1:${(server.address() as AddressInfo).port}`
  }
  afterEach(() => {
    for (const server of servers.splice(0)) server.close()
  })
  const secure = async () =>
    `https://${await listen(createServer(loopbackCertificate, (request, response) => request.resume() && response.end(none)))}`

  /** A proxy that opens tunnels and records their destinations. */
  async function proxy(): Promise<{ url: string; tunnels: string[] }> {
    const tunnels: string[] = []
    const server = createHttpServer().on('connect', ({ url = '' }, socket) => {
      tunnels.push(url)
      const [host, port] = url.split(':') as [string, string]
      const onward = connect(Number(port), host, () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n')
        onward.pipe(socket).pipe(onward)
      })
      for (const end of [socket, onward]) end.on('error', () => {})
    })
    return { url: `http://${await listen(server)}`, tunnels }
  }

  test('is trusted only with --ca', async () => {
    const baseUrl = await secure()
    const stranger = await conformance(baseUrl, ['--no-auth'])
    expect([stranger.exitCode, stranger.report.verdict]).toEqual([4, 'unreachable'])
    expect(stranger.report.reasons.join()).toContain('pass its file with --ca')
    const ca = file('ca.pem')
    writeFileSync(ca, loopbackCertificate.cert)
    const trusted = await conformance(baseUrl, ['--no-auth', '--ca', ca])
    expect(trusted.report.counts).toMatchObject({ pass: 2, fail: 0 })
  })

  test('goes through --proxy or HTTPS_PROXY, except for hosts in NO_PROXY', async () => {
    const baseUrl = await secure()
    const { url, tunnels } = await proxy()
    const ca = file('ca.pem')
    writeFileSync(ca, loopbackCertificate.cert)
    const flag = await conformance(baseUrl, ['--no-auth', '--ca', ca, '--proxy', url], { NO_PROXY: '*' })
    expect(flag.report.counts.pass).toBe(2)
    const asked = tunnels.length
    expect(new Set(tunnels)).toEqual(new Set([baseUrl.replace('https://', '')]))
    const environment = await conformance(baseUrl, ['--no-auth', '--ca', ca], { HTTPS_PROXY: url })
    expect(environment.report.counts.pass).toBe(2)
    expect(tunnels.length).toBeGreaterThan(asked)
    const all = tunnels.length
    const direct = await conformance(baseUrl, ['--no-auth', '--ca', ca], {
      HTTPS_PROXY: url,
      NO_PROXY: '127.0.0.1',
    })
    expect(direct.report.counts.pass).toBe(2)
    expect(tunnels).toHaveLength(all)
  })
})

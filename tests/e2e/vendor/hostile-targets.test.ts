import { afterEach, describe, expect, test } from 'vitest'
import {
  closeTargets,
  judged,
  startHangingTarget,
  startHttpTarget,
  startTcpTarget,
  success,
  type HostileTarget,
} from '../support/hostile-target.ts'

afterEach(closeTargets)

const MIB = 1024 * 1024

describe('a target without a usable answer', () => {
  test.each<[what: string, target: () => Promise<HostileTarget>, reason: RegExp]>([
    [
      'resets connections',
      () => startTcpTarget((socket) => void socket.resetAndDestroy()),
      /closed the connection|ECONNRESET/,
    ],
    [
      'does not speak HTTP',
      () => startTcpTarget((socket) => void socket.end('SSH-2.0-OpenSSH_9.6\r\n')),
      /failed/,
    ],
    [
      'ends the connection within a body',
      () =>
        startHttpTarget((response) => {
          response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
          response.write('{"data":[')
          setTimeout(() => response.destroy(), 20)
        }),
      /closed the connection/,
    ],
  ])('is unreachable after the first request: it %s', async (_, target, reason) => {
    const { baseUrl } = await target()
    const report = await judged({ baseUrl })
    expect(report).toMatchObject({ verdict: 'unreachable', checks: [], statements: 2 })
    expect(report.reasons.join()).toMatch(reason)
  })

  test('is read up to 64 MiB and gets no second request if its body never ends', async () => {
    let written = 0
    const chunk = Buffer.alloc(MIB, ' ')
    const { baseUrl } = await startHttpTarget((response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const more = () => {
        while (!response.destroyed && written < 10_000 * MIB) {
          written += chunk.length
          if (!response.write(chunk)) return
        }
      }
      response.on('drain', more)
      more()
    })
    const report = await judged({ baseUrl })
    expect(report).toMatchObject({ verdict: 'unreachable', statements: 1 })
    expect(report.reasons.join()).toContain('larger than 64 MiB')
    expect(written).toBeLessThan(200 * MIB)
  })
})

describe('an answer that is not an envelope', () => {
  const deep = '['.repeat(100_000) + ']'.repeat(100_000)
  test.each<[what: string, body: string | Buffer, status: number, headers: Record<string, string>]>([
    ['JSON nested 100,000 deep', success(`[{"id":${deep}}]`), 200, {}],
    ['brackets that never close', '['.repeat(200_000), 200, {}],
    ['a redirect to itself', '', 307, { location: '/external/v1/statements/' }],
    ['an empty body', '', 200, {}],
    ['an unknown content encoding', 'no gzip at all', 200, { 'content-encoding': 'x-unknown' }],
  ])('fails http.endpoint: %s', async (_, body, status, headers) => {
    const { baseUrl } = await startHttpTarget((response) => response.writeHead(status, headers).end(body))
    const report = await judged({ baseUrl })
    expect(report.verdict).toBe('non-conformant')
    expect(report.checks.find(({ id }) => id === 'http.endpoint')).toMatchObject({ outcome: 'fail' })
    expect(report.statements).toBeLessThan(30)
  })

  test.each([
    ['bare rows', '[{"id":"a"}]'],
    ['another spelling of the members', '{"Data":[],"Status":{"State":"success","Message":"ok"}}'],
    ['a prefix before the JSON', `)]}'\n${success('[]')}`],
  ])('fails http.envelope if it is declared as JSON: %s', async (_, body) => {
    const { baseUrl } = await startHttpTarget((response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(body),
    )
    const report = await judged({ baseUrl })
    const failed = report.checks.filter(({ outcome }) => outcome === 'fail')
    expect(failed.map(({ id }) => id)).toEqual(['http.envelope'])
    expect(report.statements).toBeLessThan(30)
  })

  test('is judged even if it is invalid UTF-8', async () => {
    const body = Buffer.from(success('[{"id":"\xff\xfe\xc3"}]'), 'latin1')
    const { baseUrl } = await startHttpTarget((response) => response.writeHead(200).end(body))
    expect(await judged({ baseUrl })).toMatchObject({ verdict: 'non-conformant' })
  })
})

describe('a suite run', () => {
  test('ends after --max-duration even if the target hangs', async () => {
    const target = await startHangingTarget()
    const report = await judged({ baseUrl: target.baseUrl, maxDurationMs: 300 })
    expect(report.verdict).toBe('incomplete')
    expect(report.reasons[0]).toBe('The run ended early because it took longer than 0.3 s (--max-duration).')
    expect(new Set(report.checks.map(({ outcome }) => outcome))).toEqual(new Set(['not-exercised']))
    expect(target.requests).toBeLessThanOrEqual(1)
  })

  test('ends after --max-statements requests', async () => {
    const target = await startHttpTarget((response) => response.writeHead(200).end(success('[{"id":"a"}]')))
    const report = await judged({ baseUrl: target.baseUrl, maxStatements: 10, only: ['views.*'] })
    expect(target.requests).toBe(10)
    expect(report.statements).toBe(10)
    expect(report.reasons.join()).toContain('10 requests were sent')
  })
})

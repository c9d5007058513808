import { afterEach, describe, expect, test } from 'vitest'
import {
  answering,
  hanging,
  judged,
  speaking,
  success,
  type HostileTarget,
} from '../support/hostile-target.ts'

const targets: HostileTarget[] = []
afterEach(async () => {
  for (const target of targets.splice(0)) await target.close()
})

async function start(target: Promise<HostileTarget>): Promise<HostileTarget> {
  targets.push(await target)
  return targets.at(-1)!
}

const MIB = 1024 * 1024

describe('a target without a usable answer is unreachable, and the first request shows it', () => {
  test.each<[what: string, target: () => Promise<HostileTarget>, reason: RegExp]>([
    ['resets', () => speaking((socket) => void socket.resetAndDestroy()), /closed the connection|ECONNRESET/],
    ['speaks no HTTP', () => speaking((socket) => void socket.end('SSH-2.0-OpenSSH_9.6\r\n')), /failed/],
    [
      'dies in the middle of a body',
      () =>
        answering((response) => {
          response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
          response.write('{"data":[')
          setTimeout(() => response.destroy(), 20)
        }),
      /closed the connection/,
    ],
  ])('%s', async (_, target, reason) => {
    const { baseUrl } = await start(target())
    const report = await judged({ baseUrl })
    expect(report).toMatchObject({ verdict: 'unreachable', checks: [], statements: 2 })
    expect(report.reasons.join()).toMatch(reason)
  })

  test('answers without an end: reading stops at 64 MiB, and it is not asked again', async () => {
    let written = 0
    const chunk = Buffer.alloc(MIB, ' ')
    const { baseUrl } = await start(
      answering((response) => {
        response.writeHead(200, { 'content-type': 'application/json' })
        const more = () => {
          while (!response.destroyed && written < 10_000 * MIB) {
            written += chunk.length
            if (!response.write(chunk)) return
          }
        }
        response.on('drain', more)
        more()
      }),
    )
    const report = await judged({ baseUrl })
    expect(report).toMatchObject({ verdict: 'unreachable', statements: 1 })
    expect(report.reasons.join()).toContain('larger than 64 MiB')
    expect(written).toBeLessThan(200 * MIB)
  })
})

describe('an answer that is no envelope is judged', () => {
  const deep = '['.repeat(100_000) + ']'.repeat(100_000)
  test.each<[what: string, body: string | Buffer, status: number, headers: Record<string, string>]>([
    ['JSON nested 100,000 deep', success(`[{"id":${deep}}]`), 200, {}],
    ['brackets that never close', '['.repeat(200_000), 200, {}],
    ['a redirect to itself', '', 307, { location: '/external/v1/statements/' }],
    ['an empty body', '', 200, {}],
    ['gzip that is none', 'no gzip at all', 200, { 'content-encoding': 'x-unknown' }],
  ])('%s', async (_, body, status, headers) => {
    const { baseUrl } = await start(answering((response) => response.writeHead(status, headers).end(body)))
    const report = await judged({ baseUrl })
    expect(report.verdict).toBe('non-conformant')
    expect(report.checks.find(({ id }) => id === 'http.endpoint')).toMatchObject({ outcome: 'fail' })
    expect(report.statements).toBeLessThan(30)
  })

  test('invalid UTF-8', async () => {
    const body = Buffer.from(success('[{"id":"\xff\xfe\xc3"}]'), 'latin1')
    const { baseUrl } = await start(answering((response) => response.writeHead(200).end(body)))
    expect(await judged({ baseUrl })).toMatchObject({ verdict: 'non-conformant' })
  })
})

describe('a run ends when it is told to', () => {
  test('after --max-duration, although the target hangs', async () => {
    const { baseUrl, requests } = await start(hanging())
    const report = await judged({ baseUrl, maxDurationMs: 300 })
    expect(report.verdict).toBe('incomplete')
    expect(report.reasons[0]).toBe('The run ended early because its 0.3 s were over (--max-duration).')
    expect(new Set(report.checks.map(({ outcome }) => outcome))).toEqual(new Set(['not-exercised']))
    expect(requests).toBeLessThanOrEqual(1)
  })

  test('when it is aborted from outside', async () => {
    const { baseUrl } = await start(hanging())
    const report = await judged({ baseUrl, signal: AbortSignal.timeout(200) })
    expect(report).toMatchObject({ verdict: 'incomplete' })
    expect(report.reasons[0]).toBe('The run ended early because it was aborted.')
  })

  test('after --max-statements', async () => {
    const target = await start(answering((response) => response.writeHead(200).end(success('[{"id":"a"}]'))))
    const report = await judged({ baseUrl: target.baseUrl, maxStatements: 10, only: ['views.*'] })
    expect(target.requests).toBe(10)
    expect(report.statements).toBe(10)
    expect(report.reasons.join()).toContain('10 requests were sent')
  })
})

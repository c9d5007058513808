import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  closeTargets,
  failures,
  judged,
  startHangingTarget,
  startHttpTarget,
  success,
} from '../support/hostile-target.ts'
import { smallestPlant, startReference, type LimitedReference } from '../../proof/support/self-proof.ts'

const served = success('[{"id":"a"}]')

const refused = () => new Response('{"detail":"unauthorized"}', { status: 401 })

// Concurrent, because the tests spend most of their time waiting.
describe.concurrent('a hostile target', () => {
  afterAll(closeTargets)

  test('gets one request if it hangs', async () => {
    const target = await startHangingTarget()
    const report = await judged({ baseUrl: target.baseUrl })
    expect(report).toMatchObject({ verdict: 'unreachable', statements: 1 })
    expect(report.reasons.join()).toContain('sent no complete reply within')
  })

  test('gets one request if its body never ends', async () => {
    const { baseUrl } = await startHttpTarget((response) => {
      const timer = setInterval(() => response.write(' '), 1000)
      response.once('close', () => clearInterval(timer))
    })
    const report = await judged({ baseUrl })
    expect(report).toMatchObject({ verdict: 'unreachable', statements: 1 })
  })

  test.each([
    ['values nested just below the limit', success(`[{"id":${'['.repeat(490)}${']'.repeat(490)}}]`)],
    ['lone surrogates', success('[{"id":"\\ud800"},{"\\udfff":1}]')],
    ['keys that every object inherits', success('[{"__proto__":{"id":1},"constructor":2,"toString":3}]')],
  ])('that answers with %s is judged', async (_, body) => {
    const { baseUrl } = await startHttpTarget((response) => response.writeHead(200).end(body))
    expect(await judged({ baseUrl })).toMatchObject({ verdict: 'non-conformant' })
  })

  test('gets four more requests and a last one after it stops answering', async () => {
    const target = await startHttpTarget(
      (response, n) => void (n > 15 ? undefined : response.writeHead(200).end(served)),
    )
    const report = await judged({ baseUrl: target.baseUrl, skip: ['http.*', 'errors.*', 'views.*', 'sql.*'] })
    expect(target.requests).toBeLessThanOrEqual(15 + 4 + 1 + 3)
    expect(report.checks.some(({ message }) => message.includes('did not complete'))).toBe(true)
    expect(['unreachable', 'non-conformant']).toContain(report.verdict)
  })
})

// Beside the tests above, which wait, and one after the other, because each keeps the engines busy.
describe.concurrent('the reference behind a gateway', () => {
  let reference: LimitedReference
  beforeAll(async () => {
    reference = await startReference(smallestPlant, timeLimitMs)
  })
  afterAll(() => reference.close())

  const token = () => reference.token
  const timeLimitMs = 5000

  /** The reference behind a gateway that may answer in its place; `n` counts requests from 1. */
  const behind = (before: (authorization: string, n: number) => Response | undefined): typeof fetch => {
    let n = 0
    return async (input, init) => {
      const headers = init?.headers as Record<string, string>
      return before(headers['Authorization'] ?? '', ++n) ?? reference.fetch(input, init)
    }
  }

  /** The reference behind a gateway with tokens of its own: `issued-token-1`, `issued-token-2`, … */
  const gateway = (accepts: (presented: string, n: number) => boolean): typeof fetch => {
    let n = 0
    return async (input, init) => {
      const headers = init?.headers as Record<string, string>
      const presented = headers['Authorization']?.replace('Bearer ', '') ?? ''
      n++
      const known = /^issued-token-\d$/.test(presented)
      if (known && !accepts(presented, n)) return refused()
      return reference.fetch(input, {
        ...init,
        headers: { ...headers, ...(known && { Authorization: `Bearer ${token()}` }) },
      })
    }
  }

  test.sequential('fails no check because of a rate limit, which the suite obeys', async () => {
    const limited = behind((_, n) =>
      n % 20 === 0 ? new Response('slow down', { status: 429, headers: { 'retry-after': '0' } }) : undefined,
    )
    const report = await judged({ baseUrl: reference.baseUrl, token: token(), fetch: limited, timeLimitMs })
    expect(failures(report)).toEqual([])
    expect(report.verdict).toBe('incomplete')
    expect(report.reasons).toEqual(['The time limit was 5 s instead of 30 s, the limit of the contract.'])
    expect(report.notes?.join()).toMatch(/The target limited \d+ of \d+ requests/)
  })

  test.sequential('exercises no check if every answer is 503 with Retry-After', async () => {
    const busy = behind(() => new Response('', { status: 503, headers: { 'retry-after': '0' } }))
    const report = await judged({ baseUrl: reference.baseUrl, token: token(), fetch: busy, timeLimitMs })
    expect(report.verdict).toBe('incomplete')
    expect(new Set(report.checks.map(({ outcome }) => outcome))).toEqual(
      new Set(['not-exercised', 'inconclusive']),
    )
    expect(report.statements).toBeLessThanOrEqual(36)
  })

  test.sequential('ends the run without a failure when the token expires', async () => {
    const fetch = gateway((_, n) => n <= 60)
    const report = await judged({ baseUrl: reference.baseUrl, token: 'issued-token-1', fetch, timeLimitMs })
    expect(failures(report)).toEqual([])
    expect(report.verdict).toBe('incomplete')
    expect(report.reasons[0]).toMatch(/the target no longer accepts the token .* --token-command/)
  })

  test.sequential('exercises every check when the expired token can be renewed once', async () => {
    let issued = 1
    const renewToken = async () => `issued-token-${++issued}`
    const fetch = gateway((presented, n) => presented === 'issued-token-2' || n <= 60)
    const report = await judged({
      baseUrl: reference.baseUrl,
      token: 'issued-token-1',
      renewToken,
      fetch,
      timeLimitMs,
    })
    expect(failures(report)).toEqual([])
    expect(report.reasons).toEqual(['The time limit was 5 s instead of 30 s, the limit of the contract.'])
    expect(issued).toBe(2)
    expect(report.notes).toEqual(['The token was refused and renewed once.'])
    expect(JSON.stringify(report)).not.toContain('issued-token')
  })

  test.sequential('fails auth.valid-token if it refuses valid tokens at random, even if they are renewed', async () => {
    let issued = 1
    const renewToken = async () => `issued-token-${(++issued % 9) + 1}`
    const fetch = gateway((_, n) => n % 15 !== 0)
    const report = await judged({
      baseUrl: reference.baseUrl,
      token: 'issued-token-1',
      renewToken,
      fetch,
      timeLimitMs,
      skip: ['time.*'],
    })
    expect(failures(report).join()).toContain('auth.valid-token')
  })

  test.sequential.each([1, 7, 73, 150])(
    'fails no check with --max-rows %i, which leaves checks out',
    async (maxRows) => {
      let most = 0
      const counting: typeof fetch = (input, init) => {
        for (const [, limit] of String(init?.body).matchAll(/LIMIT (\d+)/g))
          most = Math.max(most, Number(limit))
        return reference.fetch(input, init)
      }
      const options = { baseUrl: reference.baseUrl, token: token(), fetch: counting, timeLimitMs, maxRows }
      const report = await judged({ ...options, skip: ['time.*', 'auth.*'] })
      expect(failures(report)).toEqual([])
      expect(report.counts.warn).toBe(0)
      expect(most).toBeLessThanOrEqual(maxRows)
      expect(report.counts.pass).toBeGreaterThan(50)
      expect(report.notes).toEqual([`No LIMIT asked for more than ${maxRows} rows (--max-rows).`])
    },
  )

  test.sequential('fails REQ-AUTH-2 if it accepts an expired token', async () => {
    const fetch = gateway(() => true)
    const expiredToken = 'issued-token-7'
    const only = ['REQ-AUTH-2']
    const options = { baseUrl: reference.baseUrl, token: token(), expiredToken, only, timeLimitMs }
    const lenient = await judged({ ...options, fetch })
    expect(failures(lenient)).toEqual([expect.stringContaining('an expired token')])
    expect(lenient.checks[0]!.curl).toContain('$BIOPROCESS_SQL_EXPIRED_TOKEN')
    expect(JSON.stringify(lenient)).not.toContain(expiredToken)
    const strict = await judged({ ...options, fetch: gateway(() => false) })
    expect(strict.checks[0]).toMatchObject({
      outcome: 'pass',
      message: expect.stringMatching(/^19 requests/),
    })
  })
})

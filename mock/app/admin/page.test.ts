import { describe, expect, test } from 'vitest'
import type { AppOptions } from '../app.ts'
import { Refusal } from '../answer/refusal.ts'
import { appOf } from '../request.test-helper.ts'
import type { Judge, JudgeReport } from './judge.ts'

const files: Readonly<Record<string, string>> = { 'index.html': '<!doctype html>', 'main-1.js': 'start()' }
const page = {
  files: async (name: string) =>
    files[name] === undefined ? undefined : new TextEncoder().encode(files[name]),
  token: 'told',
}
const get = (path: string, headers: Record<string, string> = {}) =>
  new Request(`http://localhost${path}`, { headers })
const ask = (request: Request, options: Partial<AppOptions> = {}) =>
  appOf(undefined, { page, ...options }).fetch(request)

const told = async (options: Partial<AppOptions>) => (await ask(get('/_mock/console'), options)).json()
const post = (body: string, session = '') =>
  new Request(`http://localhost${session}/_mock/judge`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json' },
  })
const judgeOf = (run: Judge['run'], report?: JudgeReport): Judge => ({
  allowsTargets: false,
  run,
  report: () => report,
})
const refusing = judgeOf(async () => Promise.reject(new Refusal(403, 'Not this one.')))

describe('the page', () => {
  test('is served with its files, a policy and a lifetime', async () => {
    const entry = await ask(get('/'))
    expect([entry.status, await entry.text()]).toEqual([200, '<!doctype html>'])
    expect(entry.headers.get('cache-control')).toBe('no-cache')
    const policy = entry.headers.get('content-security-policy')
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('unsafe')
    expect(Object.fromEntries(entry.headers)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
    })
    const script = await ask(get('/console/main-1.js'))
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(script.headers.get('cache-control')).toContain('immutable')
    for (const path of ['/console/none.js', '/console/', '/console/..%2Fpackage.json', '/index.html'])
      expect((await ask(get(path))).status).toBe(404)
  })

  test('is in a session at the path of the session, which ends with a slash', async () => {
    for (const path of ['/s/worker-1/', '/s/worker-1/console/main-1.js'])
      expect((await ask(get(path))).status).toBe(200)
    const moved = await ask(get('/s/worker-1'))
    expect([moved.status, moved.headers.get('location')]).toEqual([308, '/s/worker-1/'])
  })

  test('is guarded like /_mock/*, but needs no admin token', async () => {
    expect((await ask(get('/', { host: 'evil.example' }))).status).toBe(403)
    expect((await ask(get('/console/main-1.js', { origin: 'https://evil.example' }))).status).toBe(403)
    const admin = { token: 'admin-token' }
    expect((await ask(get('/'), { admin })).status).toBe(200)
    expect((await ask(get('/_mock/console'), { admin })).status).toBe(401)
    // a link of another site may lead to the page, whose own requests are of the same origin
    expect((await ask(get('/', { 'sec-fetch-site': 'cross-site' }))).status).toBe(200)
    expect((await ask(get('/_mock/console', { 'sec-fetch-site': 'cross-site' }))).status).toBe(403)
  })

  test('says what to do where it is not served or not built', async () => {
    const refused = await ask(get('/'), { admin: false })
    expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining('--admin-token')])
    const missing = await ask(get('/'), { page: { files: async () => undefined } })
    expect([missing.status, await missing.text()]).toEqual([404, expect.stringContaining('npm run build')])
  })

  test('is told the path of the endpoint, and a token only if the server gives it one', async () => {
    expect(await told({ basePath: '/a' })).toEqual({
      path: '/a/external/v1/statements/',
      token: 'told',
      judges: false,
    })
    expect(await told({ page: { files: page.files } })).not.toHaveProperty('token')
  })
})

describe('/_mock/judge', () => {
  test('passes the target on and streams the report', async () => {
    const seen: unknown[] = []
    const judge = judgeOf(async (task) => {
      seen.push(task)
      return new Response('{"type":"header"}\n').body! as ReadableStream<Uint8Array>
    })
    const response = await ask(post('{"baseUrl":"https://a.example","token":"t","other":1}'), { judge })
    expect(await response.text()).toBe('{"type":"header"}\n')
    expect(response.headers.get('content-type')).toBe('application/x-ndjson')
    expect(seen).toEqual([{ baseUrl: 'https://a.example', token: 't' }])
    await ask(post('{}', '/s/worker-1'), { judge })
    expect(seen[1]).toEqual({ session: 'worker-1' })
  })

  test('tells the path of the last report, which is a page without scripts and without an origin', async () => {
    const none = await ask(get('/_mock/judge'), { judge: refusing })
    expect(await none.json()).toEqual({})
    const options = {
      judge: judgeOf(refusing.run, { id: 'a1', html: '<p>conformant' }),
      admin: { token: 't' },
    }
    expect((await ask(get('/_mock/judge'), options)).status).toBe(401)
    const told = await ask(get('/_mock/judge', { authorization: 'Bearer t' }), options)
    expect(await told.json()).toEqual({ report: '/console/reports/a1' })
    const report = await ask(get('/console/reports/a1'), options)
    expect([report.status, await report.text()]).toEqual([200, '<p>conformant'])
    expect(report.headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none';/)
    expect((await ask(get('/console/reports/a2'), options)).status).toBe(404)
    expect((await ask(get('/console/reports/a1', { host: 'evil.example' }), options)).status).toBe(403)
  })

  test('refuses another body, another target in its words, and does not exist without a suite', async () => {
    expect((await ask(post('{"baseUrl":1}'), { judge: refusing })).status).toBe(400)
    const refused = await ask(post('{}'), { judge: refusing })
    expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining('Not this one.')])
    expect((await ask(post('{}'))).status).toBe(404)
  })
})

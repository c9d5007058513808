import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { runConformance } from '../../conformance/run/conformance.ts'
import {
  createKey,
  issuer,
  audience,
  type KeyServer,
  servePublicKeys,
} from '../../mock/app/auth/issuer.test-helper.ts'
import { raw, send } from '../../mock/node/request.test-helper.ts'
import { startCliServer, type CliServer } from '../support/cli.ts'
import { shellSnippets } from '../support/doc-snippet.ts'

const statement = 'SELECT id FROM v_quantities LIMIT 1'
const start = (...flags: string[]) => startCliServer(['--scale', '0.01', '--token', 'static', ...flags])

const use = ({ baseUrl }: CliServer, token: string) => send({ baseUrl, token }, statement)
const statusFor = async (server: CliServer, token: string) => (await use(server, token)).status

const lines = (...lines: string[]) => `${lines.join('\r\n')}\r\n\r\n`

/** Claims with the real time, which the server checks. */
const claims = (expiresIn = 600) => ({ exp: Math.floor(Date.now() / 1000) + expiresIn })

describe('a server with its own identity provider', () => {
  let server: CliServer
  beforeAll(async () => {
    server = await start('--variant', 'auth.mode=client-credentials', '--client', 'app:secret')
  })
  afterAll(() => server.stop())

  async function login(order: Record<string, string> = {}, secret = 'secret') {
    const response = await fetch(`${server.baseUrl}/_mock/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`app:${secret}`)}` },
      body: new URLSearchParams({ grant_type: 'client_credentials', ...order }),
    })
    const { access_token: token = '' } = (await response.json()) as { access_token?: string }
    return { status: response.status, token }
  }

  test('gives the client a token, and rows for the token', async () => {
    const { token } = await login()
    const response = await use(server, token)
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ data: [{ id: expect.any(String) }] })
    expect((await login({}, 'wrong')).status).toBe(401)
    expect(await statusFor(server, 'static')).toBe(200)
  })

  test('refuses an expired token and gives a new one', async () => {
    const { token } = await login({ expires_in: '2' })
    expect(await statusFor(server, token)).toBe(200)
    await vi.waitFor(async () => expect(await statusFor(server, token)).toBe(401), 10_000)
    const refused = await use(server, token)
    expect(refused.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"')
    expect(await refused.json()).toMatchObject({
      status: { message: 'The token has expired. Get a new one.' },
    })
    expect(await statusFor(server, (await login()).token)).toBe(200)
  })

  test('passes the checks of the suite that change the token', async () => {
    const { token } = await login()
    const report = await runConformance({ baseUrl: server.baseUrl, token, only: ['auth.*'] })
    const passed = report.checks.filter(({ outcome }) => outcome === 'pass').map(({ id }) => id)
    expect(passed).toEqual(report.checks.map(({ id }) => id))
    expect(passed).toEqual(expect.arrayContaining(['auth.valid-token', 'auth.altered-token']))
  })

  test('answers 431 for a token of 100 kB and keeps serving', async () => {
    expect(await statusFor(server, 'x'.repeat(100_000))).toBe(431)
    expect(await statusFor(server, 'static')).toBe(200)
  })
})

describe('a server that trusts another identity provider', () => {
  let [server, keys]: [CliServer?, KeyServer?] = []
  beforeAll(async () => {
    keys = await servePublicKeys()
    const trusted = ['--jwks-url', keys.url, '--issuer', issuer, '--audience', audience]
    server = await start(...trusted, '--clock-skew', '5s')
  })
  afterAll(async () => {
    await server!.stop()
    keys!.close()
  })

  test('follows the keys of the provider when they are unreadable, published and rotated', async () => {
    const [first, second] = await Promise.all([createKey('first'), createKey('second')])
    const [one, two] = await Promise.all([first.sign(claims()), second.sign(claims())])

    keys!.published = '<!doctype html><title>Sign in</title>'
    const unreadable = await use(server!, one)
    expect(unreadable.status).toBe(503)
    expect(await unreadable.json()).toEqual({
      data: [],
      status: {
        state: 'error',
        message: expect.stringMatching(/keys of its identity provider cannot be read/),
      },
    })
    expect(await statusFor(server!, 'static')).toBe(200)
    await vi.waitFor(() => expect(server!.log()).toMatch(/503 error .*JOSEError: Failed to parse/), 20_000)

    keys!.published = [first]
    expect(await statusFor(server!, one)).toBe(200)
    expect(await statusFor(server!, two)).toBe(401)

    keys!.published = [second]
    await vi.waitFor(async () => expect(await statusFor(server!, two)).toBe(200), 10_000)
    expect(await statusFor(server!, one)).toBe(401)
    expect(server!.log()).not.toContain(one)
    expect(server!.log()).not.toContain(two)
  })

  test('accepts a token within the configured clock skew only', async () => {
    const key = await createKey('third')
    keys!.published = [key]
    const good = await key.sign(claims())
    await vi.waitFor(async () => expect(await statusFor(server!, good)).toBe(200), 10_000)
    expect(await statusFor(server!, await key.sign(claims(-30)))).toBe(401)
    expect(await statusFor(server!, await key.sign({ ...claims(), nbf: claims(60).exp }))).toBe(401)
    expect(await statusFor(server!, await key.sign({ ...claims(), aud: 'other' }))).toBe(401)
  })

  test('allows the preflight of a page and lets the page read a refusal', async () => {
    const { host } = new URL(server!.baseUrl)
    const page = [`Host: ${host}`, 'Origin: http://localhost:5173', 'Connection: close']
    const preflight = await raw(server!.baseUrl, [
      lines(
        'OPTIONS /external/v1/statements/ HTTP/1.1',
        ...page,
        'Access-Control-Request-Method: POST',
        'Access-Control-Request-Headers: authorization,content-type',
        'Access-Control-Request-Private-Network: true',
      ),
    ])
    expect(preflight).toMatch(/^HTTP\/1\.1 204 /)
    expect(preflight).toMatch(/^access-control-allow-origin: \*\r$/m)
    expect(preflight).toMatch(/^access-control-allow-headers: authorization,content-type\r$/m)
    expect(preflight).toMatch(/^access-control-allow-private-network: true\r$/m)
    expect(preflight).not.toMatch(/^(content-length|transfer-encoding):/im)
    const post = ['POST /external/v1/statements/ HTTP/1.1', ...page, 'Content-Length: 0']
    const refused = await raw(server!.baseUrl, [lines(...post)])
    expect(refused).toMatch(/^HTTP\/1\.1 401 /)
    expect(refused).toMatch(/^access-control-allow-origin: \*\r$/m)
    expect(refused).toMatch(/^access-control-expose-headers: Retry-After, WWW-Authenticate\r$/m)
  })
})

/** The command of docs/server.md that trusts a provider on this machine. */
const [, trustsProvider] = /^npm start -- (--jwks-url http:\/\/localhost.*)$/m.exec(
  shellSnippets('server.md').join('\n'),
)!

// oauth2-mock-server is not installed here: its key set and the claims of its tokens are imitated.
test('the command of docs/server.md for oauth2-mock-server accepts its access tokens and no ID token', async () => {
  const key = await createKey('k', 'RS256')
  const keys = await servePublicKeys(key)
  const url = 'http://localhost:8080'
  const flags = trustsProvider!.replace(`${url}/jwks`, keys.url).split(' ')
  const server = await start(...flags, '--variant', 'auth.mode=authorization-code')
  const iat = Math.floor(Date.now() / 1000)
  const claims = { iss: url, iat, nbf: iat - 10, exp: iat + 3600, sub: 'johndoe', amr: ['pwd'] }
  try {
    const access = await key.sign({ ...claims, aud: 'sql' }, { typ: 'JWT' })
    expect(await statusFor(server, access)).toBe(200)
    expect(await statusFor(server, await key.sign({ ...claims, aud: 'app' }, { typ: 'JWT' }))).toBe(401)
  } finally {
    await server.stop()
    keys.close()
  }
})

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { runConformance } from '../../../conformance/run/conformance.ts'
import { createKey, servePublicKeys } from '../../../mock/app/auth/issuer.test-helper.ts'
import { send } from '../../../mock/node/request.test-helper.ts'
import { startCliServer, type CliServer } from '../support/cli.ts'
import { shellSnippets } from '../support/doc-snippet.ts'

const statement = 'SELECT id FROM v_quantities LIMIT 1'
const start = (...flags: string[]) => startCliServer(['--scale', '0.01', '--token', 'static', ...flags])

const use = ({ baseUrl }: CliServer, token: string) => send({ baseUrl, token }, statement)
const statusFor = async (server: CliServer, token: string) => (await use(server, token)).status

describe('a server with its own identity provider', () => {
  let server: CliServer
  beforeAll(async () => {
    server = await start('--variant', 'auth.mode=client-credentials', '--client', 'app:secret')
  })
  afterAll(() => server.stop())

  async function login(secret = 'secret') {
    const response = await fetch(`${server.baseUrl}/_mock/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`app:${secret}`)}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    })
    const { access_token: token = '' } = (await response.json()) as { access_token?: string }
    return { status: response.status, token }
  }

  test('gives the client a token, and rows for the token', async () => {
    const { token } = await login()
    const response = await use(server, token)
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ data: [{ id: expect.any(String) }] })
    expect((await login('wrong')).status).toBe(401)
    expect(await statusFor(server, 'static')).toBe(200)
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

/** The command of docs/server.md that trusts a provider on this machine. */
const [, trustsProvider] = /^npm start -- (--jwks-url http:\/\/localhost.*)$/m.exec(
  shellSnippets('server.md').join('\n'),
)!

// oauth2-mock-server is not installed here: its key set and the claims of its tokens are imitated.
test('the command of docs/server.md for oauth2-mock-server accepts its access tokens, within --clock-skew, and no ID token', async () => {
  const key = await createKey('k', 'RS256')
  const keys = await servePublicKeys()
  const url = 'http://localhost:8080'
  const flags = trustsProvider!.replace(`${url}/jwks`, keys.url).split(' ')
  const server = await start(...flags, '--clock-skew', '5m', '--variant', 'auth.mode=authorization-code')
  // the real time, which the server checks
  const iat = Math.floor(Date.now() / 1000)
  const claims = { iss: url, aud: 'sql', iat, nbf: iat - 10, exp: iat + 3600, sub: 'johndoe', amr: ['pwd'] }
  const sign = (changed: object) => key.sign({ ...claims, ...changed }, { typ: 'JWT' })
  const statusOf = async (changed: object) => statusFor(server, await sign(changed))
  const access = await sign({})
  try {
    keys.published = '<!doctype html><title>Sign in</title>'
    expect(await statusFor(server, access)).toBe(503)
    expect(await statusFor(server, 'static')).toBe(200)
    await vi.waitFor(() => expect(server.log()).toMatch(/503 error .*JOSEError: Failed to parse/), 20_000)
    expect(server.log()).not.toContain(access)

    keys.published = [key]
    expect(await statusFor(server, access)).toBe(200)
    expect(await statusOf({ exp: iat - 100 })).toBe(200)
    expect(await statusOf({ exp: iat - 400 })).toBe(401)
    expect(await statusOf({ nbf: iat + 400 })).toBe(401)
    expect(await statusOf({ aud: 'app' })).toBe(401)
    expect(await statusOf({ iss: 'http://localhost:8081' })).toBe(401)
  } finally {
    await server.stop()
    keys.close()
  }
})

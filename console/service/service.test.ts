import { afterAll, expect, test, vi } from 'vitest'
import { invalidToken } from '../../mock/app/answer/token-refused.ts'

vi.stubGlobal('sessionStorage', { getItem: () => null, setItem() {}, removeItem() {} })
const { createService, needsToken } = await import('./service.ts')
const { refusedToken } = await import('./tokens.ts')
afterAll(() => vi.unstubAllGlobals())

const envelope = (state: string, message: string) => JSON.stringify({ data: [], status: { state, message } })
const refusals: string[] = []

/** A service in a session whose fetch gives this answer to every request, and the addresses that were asked. */
function serviceOf(body: string, status: number, ownToken?: string) {
  const asked: string[] = []
  const service = createService({
    kind: 'server',
    place: { base: 'http://localhost/s/worker-1', session: 'worker-1' },
    facts: { path: '/external/v1/statements/', token: 'told', judges: true },
    fetch: async (url) => {
      asked.push(url)
      return new Response(body, { status })
    },
    ownToken,
    onAdminRefused: () => refusals.push(body),
  })
  return { service, asked }
}

test('every address that the page makes has its session', async () => {
  const { service, asked } = serviceOf(envelope('success', ''), 200)
  await service.ask('SELECT 1')
  await service.admin('variants')
  expect(asked).toEqual([
    'http://localhost/s/worker-1/external/v1/statements/',
    'http://localhost/s/worker-1/_mock/variants',
  ])
  expect([service.baseUrl, service.addressOf('/console/a')]).toEqual([
    'http://localhost/s/worker-1',
    'http://localhost/s/worker-1/console/a',
  ])
})

test.each([401, 403, 200])(
  'a token is noted as refused with HTTP %i until it is accepted again',
  async (status) => {
    const refusing = serviceOf(envelope('error', invalidToken().message), status, 'own').service
    await expect(refusing.ask('SELECT 1')).rejects.toThrow('The token is not valid')
    expect(refusedToken.value).toBe('own')
    await serviceOf(envelope('success', ''), 200, 'other').service.ask('SELECT 1')
    expect(refusedToken.value).toBe('own')
    await serviceOf(envelope('success', ''), 200, 'own').service.ask('SELECT 1')
    expect(refusedToken.value).toBeUndefined()
  },
)

test('a token that a header cannot carry is not sent, and noted as refused', async () => {
  const { service, asked } = serviceOf(envelope('success', ''), 200, 'Schlüssel')
  const failure = await service.ask('SELECT 1').catch((error: unknown) => error)
  expect(failure).toMatchObject({ message: expect.stringContaining('Give one of ASCII letters') })
  expect(needsToken(failure)).toBe(true)
  expect([asked, refusedToken.value]).toEqual([[], 'Schlüssel'])
  refusedToken.value = undefined
})

test('an error that no token mends, such as a view that is withheld, notes nothing', async () => {
  const { service } = serviceOf(envelope('error', 'You may not read v_formulas.'), 403, 'own')
  await expect(service.ask('SELECT 1')).rejects.toThrow('may not read')
  expect(refusedToken.value).toBeUndefined()
})

test('a refused admin token is told', async () => {
  await serviceOf(envelope('error', 'No.'), 401).service.admin('variants')
  expect(refusals).toHaveLength(1)
})

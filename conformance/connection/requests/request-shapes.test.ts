import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { looseTokens } from '../redaction/loose-tokens.ts'
import { inChunks, shapedRequests } from './request-shapes.ts'

const ENDPOINT = 'https://lims.example/api/statements/'
const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl'
const SELECT = 'SELECT id FROM v_formulas'

test('a token with punctuation has a loose spelling', () => {
  expect(looseTokens('Ab-cd_EF.12').map(({ token }) => token)).toEqual(['AbcdEF12'])
})

test.each(looseTokens(JWT))('a shell makes $to', ({ token, filter }) => {
  expect(execFileSync('sh', ['-c', filter], { input: JWT }).toString()).toBe(token)
})

test.each([
  'a1b2c3d4e5f6',
  'A1B2-C3D4-E5F6',
  '0d9e2c64-8f0b-4d15-9a55-1f5b6a0f7c3e',
  'MFRGGZDFMZTWQ2LK',
  'abcdefghij==',
  'aB-c',
])('no other spelling of %s is sent, because it may be the same token', (token) => {
  expect(looseTokens(token)).toEqual([])
})

test.each([JWT, 'opaque', 'aB-c', 'Ab-cd_EF.12'])(
  'at most seven requests of other shapes have a token made from %s, and none the valid one',
  (token) => {
    const requests = shapedRequests(ENDPOINT, token, SELECT)
    expect(requests.length).toBeLessThanOrEqual(7)
    expect(requests.map(({ authorization }) => authorization)).not.toContain(`Bearer ${token}`)
  },
)

test('the addresses of other shapes have the same host and path segments', () => {
  expect(shapedRequests(ENDPOINT, JWT, SELECT).flatMap(({ url }) => url ?? [])).toEqual([
    'https://lims.example//api/statements/',
    'https://lims.example/api/statements;v=1/',
  ])
})

test('a body in chunks is a stream of the same bytes, without the header that fetch refuses', async () => {
  const sent: RequestInit[] = []
  const send = inChunks((async (_: string, init: RequestInit) => {
    sent.push(init)
    return new Response()
  }) as typeof fetch)
  await send('https://lims.example', {
    method: 'POST',
    headers: { 'Transfer-Encoding': 'chunked', Accept: '*/*' },
    body: '{"ü":1}',
  })
  expect(sent[0]!.headers).toEqual({ Accept: '*/*' })
  expect(sent[0]!.body).toBeInstanceOf(ReadableStream)
  expect(await new Response(sent[0]!.body).text()).toBe('{"ü":1}')
})

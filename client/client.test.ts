import { describe, expect, test } from 'vitest'
import { createClient } from './client.ts'
import { ClientUsageError } from './errors.ts'
import { clientOf, rejection, rows } from './service.test-helper.ts'

const sql = 'SELECT 1 AS n'
const one = () => rows([{ n: 1 }])

describe('a request', () => {
  test('has the documented method, path, headers and body', async () => {
    const { client, sent } = clientOf(one, { headers: { 'x-a': 'b', authorization: 'none' } })
    await client.query(`SELECT 'it''s', "a"`)
    const [{ url, init }] = sent as [(typeof sent)[0]]
    expect(url).toBe('https://data.example.org/external/v1/statements/')
    expect(init).toMatchObject({
      method: 'POST',
      redirect: 'manual',
      body: `{"statement":"SELECT 'it''s', \\"a\\""}`,
    })
    expect(init.headers).toEqual({
      'x-a': 'b',
      authorization: 'Bearer secret',
      'content-type': 'application/json',
    })
  })

  test.each([
    ['https://a.example/', 'https://a.example/external/v1/statements/'],
    ['https://a.example/plant-1', 'https://a.example/plant-1/external/v1/statements/'],
    ['/plant-1', '/plant-1/external/v1/statements/'],
    ['/', '/external/v1/statements/'],
  ])('goes to the endpoint path under %s', async (baseUrl, url) => {
    const { client, sent } = clientOf(one, { baseUrl })
    await client.query(sql)
    expect(sent[0]!.url).toBe(url)
  })

  test('carries the current token of the token function', async () => {
    let n = 0
    const { client, sent } = clientOf(one, { token: async () => `t${++n}` })
    await client.query(sql)
    await client.query(sql)
    expect(sent.map(({ init }) => (init.headers as Record<string, string>)['authorization'])).toEqual([
      'Bearer t1',
      'Bearer t2',
    ])
  })

  test('is not sent without a token or if the token function throws', async () => {
    const none = clientOf(one, { token: () => '' })
    expect(await rejection(none.client.query(sql))).toMatchObject({
      name: 'AccessRefused',
      status: undefined,
    })
    const broken = new RangeError('not signed in')
    const { client, sent } = clientOf(one, {
      token: () => {
        throw broken
      },
    })
    expect(await rejection(client.query(sql))).toBe(broken)
    expect([...none.sent, ...sent]).toEqual([])
  })

  test('uses the current global fetch, which msw replaces', async () => {
    const client = createClient({ baseUrl: 'https://a.example', token: 't' })
    const before = globalThis.fetch
    globalThis.fetch = async () => one()
    try {
      expect(await client.query(sql)).toEqual([{ n: 1 }])
    } finally {
      globalThis.fetch = before
    }
  })
})

describe('the client', () => {
  test.each([
    ['', 'Write https://'],
    ['data.example.org', 'Write https://'],
    ['//data.example.org', 'Write https://'],
    ['ftp://a.example', 'Write https://'],
    ['https://u:p@a.example', 'Remove the user name'],
    ['https://a.example?x=1', 'Remove the query'],
    ['https://a.example/external/v1/statements/', 'Remove the endpoint path'],
  ])('rejects the base URL %j', (baseUrl, remedy) => {
    expect(() => createClient({ baseUrl, token: 't' })).toThrow(ClientUsageError)
    expect(() => createClient({ baseUrl, token: 't' })).toThrow(remedy)
  })

  test.each(['https://u:of-mine@a.example', 'u:of-mine@a.example', 'https://a.example?token=of-mine'])(
    'does not repeat the secret in %s',
    (baseUrl) => {
      expect(() => createClient({ baseUrl, token: 't' })).toThrow(/^(?!.*of-mine)/)
    },
  )

  test('rejects unknown options, and lists the known ones', () => {
    const options = { baseUrl: 'https://data.example.org', token: 't', timeoutMs: 10 }
    expect(() => createClient(options)).toThrow(
      'There is no option "timeoutMs". The options are: baseUrl, token, fetch, headers, timeout, maxBytes,',
    )
  })

  test.each([
    { token: '' },
    { token: 'two words' },
    { retries: -1 },
    { retries: 0.5 },
    { timeout: 0 },
    { maxBytes: 0 },
    { dateLiteral: 'iso' as never },
  ])('rejects the option %j', (options) => {
    expect(() => createClient({ baseUrl: '/', token: 't', ...options })).toThrow(ClientUsageError)
  })

  test.each([
    [{ columns: [] }, 'columns is empty'],
    [{ columns: ['id; DROP TABLE x'] }, 'v_quantities has no column "id; DROP TABLE x". It has id, name,'],
    [{ limit: 1.5 }, 'limit is 1.5'],
    [{ limit: '1; DROP TABLE x' }, 'limit is 1; DROP TABLE x'],
    [{ updatedAfter: 'yesterday' }, '"yesterday" is not a timestamp'],
    [{ updatedAfter: "2025-12-01' OR ''='" }, 'is not a timestamp'],
    [{ updatedAfter: '2025-13-01' }, 'is not a timestamp'],
    [{ updatedAfter: null }, 'is not a timestamp'],
    [{ updatedAfter: new Date(Number.NaN) }, 'is not a timestamp'],
    [{ updatedAfter: { newestOf: 'v_nope' } }, 'There is no view "v_nope"'],
    [
      { updatedAfter: { newestOf: 'v_archived_records' } },
      'v_archived_records has no column "last_updated_at"',
    ],
  ])('rejects select(%o) without sending a request', async (options, message) => {
    const { client, sent } = clientOf(one)
    const error = await rejection(client.views.v_quantities.select(options as never))
    expect(error).toBeInstanceOf(ClientUsageError)
    expect((error as Error).message).toContain(message)
    expect(sent).toEqual([])
  })

  test('rejects deltas with an invalid time, view, overlap or page size without sending a request', async () => {
    const { client, sent } = clientOf(one)
    for (const [view, options, message] of [
      ['v_timeseries', { since: '01.12.2025' }, 'is not a timestamp'],
      ['v_timeseries', { overlapMs: -1 }, 'overlapMs is -1'],
      ['v_timeseries', { paging: 'keyset', pageSize: 0 }, 'pageSize is 0'],
      ['v_nope', {}, 'There is no view "v_nope"'],
    ] as const) {
      const error = await rejection(client.deltas(view as never, options as never).next())
      expect(error).toBeInstanceOf(ClientUsageError)
      expect((error as Error).message).toContain(message)
    }
    expect(sent).toEqual([])
  })
})

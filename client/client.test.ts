import { describe, expect, test } from 'vitest'
import { type Client, createClient } from './client.ts'
import { ClientUsageError } from './errors.ts'
import { quote } from './literals.ts'
import { clientOf, rejection, rows } from './service.test-helper.ts'
import { toDate } from './rows/timestamps.ts'

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
    [{ limit: '1; DROP TABLE x' }, 'limit is of the type string. Give: number.'],
    [{ columns: 'id' }, 'columns is of the type string. Give: array.'],
    [{ dates: 'yes' }, 'dates is of the type string. Give: boolean.'],
    [{ updatedAfter: 'yesterday' }, '"yesterday" is not a timestamp'],
    [{ updatedAfter: "2025-12-01' OR ''='" }, 'is not a timestamp'],
    [{ updatedAfter: '2025-13-01' }, 'is not a timestamp'],
    [{ updatedAfter: null }, 'updatedAfter is of the type null. Give: string | Date | object.'],
    [{ updatedAfter: {} }, 'is not a timestamp'],
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
      ['v_timeseries', { paging: 'keyset', pageSize: 0.5 }, 'pageSize is 0.5. Give a whole number from 1'],
      ['v_timeseries', { pollMs: 2 ** 31 }, 'pollMs is 2147483648. Give milliseconds from 0 to 2147483647'],
      ['v_timeseries', { paging: 'time' }, 'paging is "time". Give: "keyset".'],
      ['v_nope', {}, 'There is no view "v_nope"'],
    ] as const) {
      const error = await rejection(client.deltas(view as never, options as never).next())
      expect(error).toBeInstanceOf(ClientUsageError)
      expect((error as Error).message).toContain(message)
    }
    expect(sent).toEqual([])
  })
})

/** A call of each member with options: the compiler asks for a new one. */
const calls: { readonly [Name in keyof Client]: (client: Client, options: never) => Promise<unknown> } = {
  query: (client, options) => client.query(sql, options),
  execute: (client, options) => client.execute(sql, options),
  views: (client, options) => client.views.v_quantities.select(options),
  timeseriesWithBioprocess: (client, options) => client.timeseriesWithBioprocess(options),
  deltas: (client, options) => client.deltas('v_quantities', options).next(),
  points: (client, options) => client.points(options).next(),
}

describe.each(Object.entries(calls))('the function %s', (_, call) => {
  test.each([
    [{ nope: 1 }, 'There is no option "nope". The options are: '],
    [{ signal: 5 }, 'The option signal is of the type number. Give: AbortSignal.'],
    [{ signal: {} }, 'The option signal is of the type object. Give: AbortSignal.'],
    [null, 'The options are of the type null. Give an object with: '],
    ['x', 'The options are of the type string. Give an object with: '],
  ])('rejects the options %j without sending a request', async (options, message) => {
    const { client, sent } = clientOf(one)
    const error = await rejection(call(client, options as never))
    expect(error).toBeInstanceOf(ClientUsageError)
    expect((error as Error).message).toContain(message)
    expect(sent).toEqual([])
  })
})

test('points are refused for paging that does not exist', async () => {
  const error = await rejection(
    clientOf(one)
      .client.points({ paging: 'z' as never })
      .next(),
  )
  expect(error).toMatchObject({ message: 'The option paging is "z". Give: "keyset" | "time".' })
})

test('the helpers of the client take any value: quote refuses it, toDate returns undefined', () => {
  expect(() => quote(5 as never)).toThrow(ClientUsageError)
  expect(toDate(null as never)).toBeUndefined()
})

import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createClient } from '../client.ts'
import { ClientUsageError, ConnectionFailed } from '../errors.ts'
import { createSend } from './send.ts'
import { clientOf, rejection } from '../service.test-helper.ts'

const sql = 'SELECT 1 AS n'
const hang = () => new Promise<Response>(() => {})

describe('a request that ends early', () => {
  test('rejects with the reason of the signal at every stage', async () => {
    const reason = new Error('the user left')
    const aborted = AbortSignal.abort(reason)
    const { client, sent } = clientOf(hang)
    expect(await rejection(client.query(sql, { signal: aborted }))).toBe(reason)
    expect(sent).toEqual([])
    const later = new AbortController()
    const work = client.views.v_quantities.select({ signal: later.signal })
    later.abort()
    expect(await rejection(work)).toMatchObject({ name: 'AbortError' })
    const slowToken = clientOf(hang, { token: () => new Promise(() => {}) })
    const asking = new AbortController()
    const waiting = slowToken.client.query(sql, { signal: asking.signal })
    asking.abort(reason)
    expect(await rejection(waiting)).toBe(reason)
  })

  test('names the client timeout and is not retried', async () => {
    const { client, sent } = clientOf(hang, { timeout: 10, retries: 3 })
    expect(await rejection(client.query(sql))).toMatchObject({
      name: 'ConnectionFailed',
      retryable: false,
      message: expect.stringContaining('timeout of 10 ms'),
      cause: expect.objectContaining({ name: 'TimeoutError' }),
    })
    expect(sent).toHaveLength(1)
  })

  test('names the token function if it takes all the time', async () => {
    const { client, sent } = clientOf(hang, { timeout: 10, token: () => new Promise(() => {}) })
    expect(await rejection(client.query(sql))).toMatchObject({
      name: 'ConnectionFailed',
      retryable: false,
      message: expect.stringContaining(
        'The token function returned nothing within the client timeout of 10 ms',
      ),
    })
    expect(sent).toEqual([])
  })

  test('ends by the client timeout while its answer is checked', async () => {
    const send = createSend({ baseUrl: '/', token: 't', timeout: 10, fetch: async () => new Response('{}') })
    expect(await rejection(send(sql, undefined, hang))).toMatchObject({
      name: 'ConnectionFailed',
      retryable: false,
      status: 200,
      message: expect.stringContaining('The answer was not checked within the client timeout of 10 ms'),
    })
  })

  test.each([
    [undefined, 60_000],
    [Infinity, undefined],
    [2 ** 31, undefined],
  ])('after a timeout of %s ms ends after %s ms', async (timeout, after) => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const { client } = clientOf(hang, timeout === undefined ? {} : { timeout })
    const ended = vi.fn()
    void rejection(client.query(sql)).then(ended)
    await vi.advanceTimersByTimeAsync(59_999)
    expect(ended).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    if (after === undefined) expect(ended).not.toHaveBeenCalled()
    else expect(ended.mock.calls[0]![0]).toMatchObject({ message: expect.stringContaining(`${after} ms`) })
  })

  test('stops to read an endless answer at the limit of bytes, and is not retried', async () => {
    let pulled = 0
    const cancelled = vi.fn()
    const endless = () =>
      new Response(
        new ReadableStream({
          pull: (stream) => {
            pulled++
            stream.enqueue(new Uint8Array(1000).fill(32))
          },
          cancel: cancelled,
        }),
      )
    const { client, sent } = clientOf(endless, { maxBytes: 10_000, retries: 2 })
    expect(await rejection(client.query(sql))).toMatchObject({
      name: 'AnswerTooLarge',
      status: 200,
      message: expect.stringContaining('larger than 10000 bytes. Read less'),
    })
    expect(sent).toHaveLength(1)
    expect(cancelled).toHaveBeenCalled()
    expect(pulled).toBeLessThan(15)
  })

  test('reads an answer of exactly the limit', async () => {
    const text = JSON.stringify({ data: [{ n: 'ä' }], status: { state: 'success', message: '' } })
    const { client } = clientOf(() => new Response(text), { maxBytes: Buffer.byteLength(text) })
    expect(await client.query(sql)).toEqual([{ n: 'ä' }])
  })

  test('keeps the network error as its cause', async () => {
    const cause = new TypeError('fetch failed')
    const { client } = clientOf(() => Promise.reject(cause))
    const error = await rejection(client.query(sql))
    expect(error).toBeInstanceOf(ConnectionFailed)
    expect(error).toMatchObject({ cause, retryable: true, status: undefined })
  })

  test('reports a truncated body and is not retried', async () => {
    const body = new ReadableStream({ pull: (stream) => stream.error(new Error('terminated')) })
    const { client, sent } = clientOf(() => new Response(body), { retries: 2 })
    expect(await rejection(client.query(sql))).toMatchObject({
      name: 'ConnectionFailed',
      status: 200,
      retryable: false,
      message: expect.stringContaining('was truncated'),
    })
    expect(sent).toHaveLength(1)
  })
})

describe('a request that cannot be sent', () => {
  test.each<object>([
    { 'bad name': 'x' },
    { '': 'x' },
    { 'x-a': 'of-mine\r\nx-b: c' },
    { 'x-a': 'of-mine →' },
    { 'x-a': 5 },
    { 'x-a': undefined },
    { 'Content-Length': '5' },
    { 'transfer-encoding': 'chunked' },
    new Map([['x-a', 'b']]),
    new Headers({ 'x-a': 'b' }),
  ])('is refused with its headers before: %o', (headers) => {
    const create = () => clientOf(hang, { headers: headers as never })
    expect(create).toThrow(ClientUsageError)
    expect(create).toThrow(/^(?!.*of-mine).*header/)
  })

  test('is not retryable for a path outside of a page', async () => {
    const client = createClient({ baseUrl: '/plant-1', token: 't', retries: 3 })
    expect(await rejection(client.query(sql))).toMatchObject({
      name: 'ClientUsageError',
      message: expect.stringContaining('Write https://data.example.org.'),
    })
  })
})

test.each(['authorization', 'Authorization', 'AUTHORIZATION'])(
  'the token and the media type win over headers such as %s',
  async (name) => {
    const { client, sent } = clientOf(hang, {
      headers: { [name]: 'x', 'Content-Type': 'text/plain', 'X-A': 'b' },
      timeout: 10,
    })
    await rejection(client.query(sql))
    expect([...new Headers(sent[0]!.init.headers)]).toEqual([
      ['authorization', 'Bearer secret'],
      ['content-type', 'application/json'],
      ['x-a', 'b'],
    ])
  },
)

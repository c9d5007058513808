import { describe, expect, test } from 'vitest'
import { ConnectionFailed } from './errors.ts'
import { clientOf, rejection } from './service.test-helper.ts'

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

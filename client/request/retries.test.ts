import { describe, expect, test } from 'vitest'
import { StatementError } from '../errors.ts'
import { clientOf, failure, rejection, rows } from '../service.test-helper.ts'

const sql = 'SELECT 1 AS n'
const one = () => rows([{ n: 1 }])
const busy = (status: number) => failure('busy', { status, headers: { 'retry-after': '0' } })

describe('retries', () => {
  test.each([
    ['a 503', () => busy(503)],
    ['a 429', () => busy(429)],
    ['no answer', () => Promise.reject(new TypeError('fetch failed'))],
  ])('follow %s up to their number', async (_, fail) => {
    const answer = (_: string, n: number) => (n <= 2 ? fail() : one())
    const patient = clientOf(answer, { retries: 2 })
    expect(await patient.client.query(sql)).toEqual([{ n: 1 }])
    expect(patient.sent).toHaveLength(3)
    const lessPatient = clientOf(answer, { retries: 1 })
    expect(await rejection(lessPatient.client.query(sql))).toBeInstanceOf(StatementError)
    expect(lessPatient.sent).toHaveLength(2)
    const usual = clientOf(answer)
    expect(await rejection(usual.client.query(sql))).toBeInstanceOf(StatementError)
    expect(usual.sent).toHaveLength(1)
  })

  test.each([
    ['a 504', () => busy(504)],
    ['an error of the statement', () => failure('Error executing statement')],
    ['a refused token', () => busy(401)],
    ['a Retry-After beyond 30 s', () => failure('busy', { status: 503, headers: { 'retry-after': '31' } })],
  ])('never follow %s', async (_, fail) => {
    const { client, sent } = clientOf(fail, { retries: 5 })
    expect(await rejection(client.query(sql))).toBeInstanceOf(StatementError)
    expect(sent).toHaveLength(1)
  })

  test('end when the signal aborts', async () => {
    const stop = new AbortController()
    const { client, sent } = clientOf(
      () => {
        setTimeout(() => stop.abort())
        return failure('busy', { status: 503, headers: { 'retry-after': '30' } })
      },
      { retries: 5 },
    )
    expect(await rejection(client.query(sql, { signal: stop.signal }))).toMatchObject({ name: 'AbortError' })
    expect(sent).toHaveLength(1)
  })
})

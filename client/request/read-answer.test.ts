import { describe, expect, test } from 'vitest'
import { contract } from '../../schemas/index.ts'
import { StatementError } from '../errors.ts'
import { clientOf, failure, json, rejection, rows } from '../service.test-helper.ts'

const statement = 'SELECT * FROM v_nope'

/** The error of `query` for an answer. */
const outcome = async (answer: Response) => {
  const error = (await rejection(clientOf(() => answer).client.query(statement))) as StatementError
  expect(error).toBeInstanceOf(StatementError)
  expect(error.constructor.name).toBe(error.name)
  return error
}
const html = (status: number) =>
  new Response('<!doctype html><title>x</title>', { status, headers: { 'content-type': 'text/html' } })

describe('an SQL error under any HTTP status', () => {
  const sentence = 'relation "v_nope" does not exist'
  test.each([
    sentence,
    `ERROR: ${sentence}`,
    `(psycopg2.errors.UndefinedTable) ${sentence}`,
    `${sentence}\nLINE 1: ${statement}\n                      ^`,
    `${sentence}\n[SQL: x]\n(Background on this error at: https://sqlalche.me/e/20/f405)`,
    'relation \\"v_nope\\" does not exist',
    'relation "public.v_nope" does not exist',
    'relation "public"."v_nope" does not exist',
  ])('is UnknownView for the message %j', async (message) => {
    for (const status of [200, 400, 404, 422, 500]) {
      const error = await outcome(failure(message, { status }))
      expect(error).toMatchObject({
        name: 'UnknownView',
        viewName: 'v_nope',
        status,
        serviceMessage: message,
      })
      expect(error.message).toContain('The views are v_bioprocesses, v_bioprocess_quantity_data,')
    }
  })

  test('keeps the dot in the name of an unknown view', async () => {
    const { client } = clientOf(() => failure('relation "a.b" does not exist'))
    expect(await rejection(client.query('SELECT * FROM "a.b"'))).toMatchObject({ viewName: 'a.b' })
  })

  test.each([
    'JSON decode error: syntax error at or near "SELEC"',
    'JSON decode error',
    'JSON parse error - Expecting value',
    'syntax error at or near "SELEC"',
    'ERROR: syntax error at or near "SELEC"\nLINE 1: SELEC',
    "Unexpected token ' in JSON at position 1",
    'Expecting property name enclosed in double quotes: line 1 column 2 (char 1)',
    'Invalid JSON',
    'You have an error in your SQL syntax; check the manual',
  ])('is StatementSyntaxError for the message %j', async (message) => {
    for (const status of [200, 400, 415, 500])
      expect(await outcome(failure(message, { status }))).toMatchObject({
        name: 'StatementSyntaxError',
        status,
      })
  })

  test.each([
    contract.messages.exception,
    'column "x" does not exist',
    'invalid input syntax for type timestamp: "x"',
    'division by zero',
    '',
  ])('is ExecutionFailed for the message %j', async (message) => {
    for (const status of [200, 400, 500, 502])
      expect(await outcome(failure(message, { status }))).toMatchObject({ name: 'ExecutionFailed', status })
  })
})

describe('an answer', () => {
  test.each([
    ['envelope', failure('late', { status: 504 })],
    ['html', html(504)],
    ['message', json({ message: 'Endpoint request timed out' }, { status: 504 })],
    ['problem-json', json({ type: 'about:blank', status: 504 }, { status: 504 })],
    ['empty', new Response(null, { status: 504 })],
    ['envelope that claims success', rows([], {}, { status: 504 })],
  ])('with status 504 and the body %s is TimeLimitExceeded', async (_, answer) => {
    const error = await outcome(answer)
    expect(error).toMatchObject({ name: 'TimeLimitExceeded', status: 504, retryable: false })
    expect(error.message).toMatch(/read less .* or split it/)
  })

  test.each([
    ['401', json({ detail: 'x' }, { status: 401 })],
    ['403', new Response('', { status: 403 })],
    ['419', html(419)],
    ['302', new Response(null, { status: 302, headers: { location: 'https://login.example/' } })],
    ['200 and an envelope', failure('Invalid token')],
    ['200 and a sentence', failure('The token is not valid. Send "Authorization: Bearer <ACCESS_TOKEN>".')],
    ['400 and an envelope', failure('The request carries no token.', { status: 400 })],
    ['a view that is not permitted', failure('permission denied for view v_quantities')],
  ])('is AccessRefused for %s', async (_, answer) => {
    expect(await outcome(answer)).toMatchObject({ name: 'AccessRefused', retryable: false })
  })

  test.each([
    ['503 and seconds', 503, '7', 7000],
    ['429 and a date', 429, new Date(Date.now() + 60_000).toUTCString(), expect.closeTo(60_000, -4)],
    ['429 and a past date', 429, 'Wed, 21 Oct 2015 07:28:00 GMT', 0],
    ['503 and an invalid Retry-After', 503, 'soon', undefined],
    ['403 with Retry-After', 403, '1', 1000],
  ])('is ServiceBusy for %s', async (_, status, retryAfter, retryAfterMs) => {
    const answer = failure('busy', { status, headers: { 'retry-after': retryAfter } })
    expect(await outcome(answer)).toMatchObject({
      name: 'ServiceBusy',
      status,
      retryAfterMs,
      retryable: true,
    })
  })

  test.each([
    ['a page', html(200), /HTTP 200, text\/html\) is not a .* begins "<!doctype html>.*Check the base URL/],
    ['another JSON', json({ detail: 'Not Found' }, { status: 404 }), /not a \{data, status\}/],
    ['a bare array', json([]), /not a \{data, status\}/],
    ['null', json(null), /not a \{data, status\}/],
    ['nothing', new Response(''), /it is empty/],
    ['half of an envelope', new Response('{"data":[{"id":"a"'), /It is truncated\. Read less, or split/],
    ['rows that are no array', json({ data: {}, status: { state: 'success', message: '' } }), /not a \{data/],
    ['another state', json({ data: [], status: { state: 'done', message: '' } }), /not a \{data/],
    [
      'the wrong path',
      failure('There is nothing here.', { status: 404 }),
      /nothing here\. Check the base URL/,
    ],
    ['too large', failure('Too large.', { status: 413 }), /read less or split/],
    ['a redirect', new Response(null, { status: 308, headers: { location: '/v2' } }), /redirects \(\/v2\)/],
  ])('is UnexpectedAnswer for %s', async (_, answer, message) => {
    const error = await outcome(answer)
    expect(error.name).toBe('UnexpectedAnswer')
    expect(error.message).toMatch(message)
  })

  test.each([200, 201, 202, 207])('with the state success succeeds under HTTP %d', async (status) => {
    const { client } = clientOf(() => rows([{ n: 1 }], {}, { status }))
    expect(await client.query(statement)).toEqual([{ n: 1 }])
  })
})

describe('the token and secret headers', () => {
  const [token, key] = ['tok-3f9a7c21b8e64d05', 'key-77aa88bb']
  const leak = `Bearer ${token}, ${btoa(token)}, ${key}`
  const shown = 'Bearer [redacted], [redacted], [redacted]'
  test.each([
    ['an execution', () => failure(`cannot run with ${leak}`)],
    ['the syntax', () => failure(`syntax error near ${leak}`)],
    ['access', () => failure(`permission denied for ${leak}`, { status: 403 })],
    ['a request', () => failure(`no such path with ${leak}`, { status: 404 })],
    ['a body', () => new Response(`<h1>${leak}</h1>`)],
    ['a redirect', () => new Response(null, { status: 307, headers: { location: `/${leak}` } })],
    ['a media type', () => new Response('', { headers: { 'content-type': `text/html; ${leak}` } })],
    ['rows', () => json({ data: [7], status: { state: 'success', message: leak } })],
  ])('are not in an error about %s', async (_, answer) => {
    const { client } = clientOf(answer, { token, headers: { 'x-api-key': key } })
    const { message, stack, serviceMessage } = (await rejection(client.query(statement))) as StatementError
    expect(`${message} ${serviceMessage}`).toContain(shown)
    expect(`${message} ${serviceMessage} ${stack}`).not.toMatch(/3f9a7c21b8e64d05|77aa88bb/)
  })
})

test('errors truncate their statement', async () => {
  const { client } = clientOf(() => failure('x'))
  const error = (await rejection(client.query(`SELECT '${'x'.repeat(1000)}'`))) as StatementError
  expect(error.statement).toMatch(/^SELECT 'x{192}…$/)
})

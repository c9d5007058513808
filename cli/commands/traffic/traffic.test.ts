import { truncateSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { explain } from '../../exit.ts'
import { changed, endpoint, entry, fileOf, har, header, type Loose, rows, TOKEN } from './har.test-helper.ts'
import { judgeFile } from './run.ts'

const judged = (...entries: unknown[]) => judgeFile(fileOf(har(...entries)))

/** The error of a file, as the command prints it. */
const refused = (text: string | Buffer, baseUrl?: string) =>
  judgeFile(fileOf(text), baseUrl).then(
    ({ report }) => ({ sentence: `no error: ${report}`, exitCode: 0 }),
    explain,
  )

/** The outcome of a requirement in a report; of several clients, the first that shows it. */
const outcomeIn = (report: string, requirement: string): string | undefined =>
  new RegExp(`^  . (\\w+) +${requirement} `, 'm').exec(report)?.[1]

const outcome = async (requirement: string, ...entries: unknown[]) =>
  outcomeIn((await judged(...entries)).report, requirement)

test('a service and a client that keep the rules pass', async () => {
  const { report, exitCode } = await judged(entry())
  expect(report).toMatch(/^1 exchange\n\nThe service\n/)
  for (const id of ['REQ-HTTP-4', 'REQ-SQL-3', 'REQ-AUTH-4', 'REQ-HTTP-13'])
    expect(outcomeIn(report, id)).toBe('pass')
  expect(exitCode).toBe(0)
})

describe('the service', () => {
  test.each([
    [
      'REQ-SQL-3',
      'fail',
      rows([
        { id: 'q1', name: 'pH' },
        { id: 'q2', name: 'DO' },
      ]),
    ],
    ['REQ-HTTP-5', 'fail', rows([], 'ok', 'OK')],
    ['REQ-HTTP-4', 'fail', '{"data":[]}'],
    ['REQ-HTTP-4', 'fail', 'null'],
    ['REQ-HTTP-4', 'fail', 'not JSON'],
    ['REQ-HTTP-4', 'fail', `\uFEFF${rows([])}`],
    ['REQ-VIEW-TYPES:v_quantities', 'fail', rows([{ id: 7, name: 'pH' }])],
  ])('breaks %s, which is a %s, with the answer %s', async (requirement, expected, answer) => {
    const { report, exitCode } = await judged(entry({ startedMs: 5 }), entry({ answer }))
    expect(outcomeIn(report, requirement)).toBe(expected)
    expect(report).toMatch(new RegExp(`${requirement} .*\\(exchange 1\\)`))
    expect(exitCode).toBe(1)
  })

  test('breaks a should if a success does not declare JSON, which fails nothing', async () => {
    const html = changed(({ response }) => (response.headers = [header('content-type', 'text/html')]))
    const { report, exitCode } = await judged(html)
    expect([outcomeIn(report, 'REQ-HTTP-12'), exitCode]).toEqual(['warn', 0])
  })

  test('sends bytes that are not UTF-8, which base64 keeps', async () => {
    const bytes = Buffer.from(rows([{ id: 'q1', name: '\u00e9' }]), 'latin1')
    const latin = changed(({ response }) => {
      response.content = { size: bytes.length, text: bytes.toString('base64'), encoding: 'base64' }
    })
    expect(await outcome('REQ-HTTP-4', latin)).toBe('fail')
  })

  test('is judged by a body in base64', async () => {
    const answer = rows([
      { id: 'q1', name: 'pH' },
      { id: 'q2', name: 'DO' },
    ])
    const encoded = changed(({ response }) => {
      response.content.text = Buffer.from(answer).toString('base64')
      response.content.encoding = 'base64'
      response.content.size = answer.length
    })
    expect(await outcome('REQ-SQL-3', encoded)).toBe('fail')
  })
})

const quick = { startedMs: 100 }
const after = (time: string) => `SELECT * FROM v_timeseries WHERE last_updated_at > '${time}'`
const timedOut = (startedMs: number, more: object = {}) =>
  entry({ statement: 'SELECT id FROM v_quantities', status: 504, answer: '', startedMs, ...more })

describe('the client', () => {
  test('repeats a statement after a 504', async () => {
    const { report, exitCode } = await judged(timedOut(0), timedOut(50))
    expect(report).toMatch(/✗ fail +REQ-TIME-4 .*\(exchanges 0, 1\)/)
    expect(exitCode).toBe(1)
  })

  test('sends no token once', async () => {
    const without = changed(({ request }) => request.headers.shift(), entry(quick))
    const { report, exitCode } = await judged(entry(), without)
    expect(report).toMatch(/✗ fail +REQ-AUTH-4 .*\(exchange 1\)/)
    expect(exitCode).toBe(1)
  })

  test('begins a load of changes at the newest time of the last one, in the same millisecond as its end', async () => {
    const time = '2025-12-01T08:00:01Z'
    const answer = rows([{ last_updated_at: time }])
    const first = entry({ statement: after('2025-12-01'), answer, time: 10.9 })
    const next = entry({ statement: after(time), answer: rows([]), startedMs: 10 })
    expect(await outcome('REQ-DELTA-5', first, next)).toBe('warn')
  })

  test.each([
    ['not JSON', 'statement=SELECT 1'],
    ['empty', ''],
  ])('sends a body that is %s', async (_, text) => {
    const wrong = changed(({ request }) => {
      request.postData.text = text
      request.bodySize = text.length
    })
    expect(await outcome('REQ-HTTP-13', wrong)).toBe('fail')
  })

  test('is judged in the order of the ends, whatever the order of the entries', async () => {
    expect(await outcome('REQ-TIME-4', timedOut(50), timedOut(0))).toBe('fail')
    expect(await outcome('REQ-TIME-4', timedOut(0, { time: 60 }), timedOut(50))).toBe('pass')
  })
})

/** A 504 on a connection, without a token. */
const on = (connection: string, startedMs: number) =>
  changed((one) => {
    one.request.headers.shift()
    one.connection = connection
  }, timedOut(startedMs))

/** A 504 of a client with this name. */
const by = (name: string, startedMs: number) =>
  changed(({ request }) => request.headers.push(header('user-agent', name)), timedOut(startedMs))

describe('several clients', () => {
  test('are told apart by their tokens, which the report does not have', async () => {
    const { report, exitCode } = await judged(
      timedOut(0, { token: 'first-token' }),
      timedOut(50, { token: 'second-token' }),
    )
    expect(report).toMatch(/The client of exchange 0\n[^]*The client of exchange 1\n/)
    expect(outcomeIn(report, 'REQ-TIME-4')).toBe('pass')
    expect(report).not.toMatch(/first-token|second-token/)
    expect(exitCode).toBe(0)
  })

  test('are told apart by their connections if they send no token', async () => {
    expect(await outcome('REQ-TIME-4', entry(), on('1', 0), on('2', 50))).toBe('pass')
    expect(await outcome('REQ-TIME-4', on('1', 0), on('1', 50))).toBe('fail')
  })

  test('with one token are told apart by their User-Agent', async () => {
    expect(await outcome('REQ-TIME-4', by('a', 0), by('b', 50))).toBe('pass')
  })
})

test.each(['a', TOKEN])('the token %s that a service repeats is not in the report', async (token) => {
  const { report } = await judged(entry({ token, answer: rows([], 'ok', `no ${token} here`) }))
  expect(report).toMatch(/the state "no \[token\] here"/)
  expect(report).not.toContain(TOKEN)
})

describe('an exchange is counted as not judged, with exit code 3, if', () => {
  test.each<[string, (entry: Loose) => unknown]>([
    ['the text of its answer is cut', ({ response }) => (response.content.text = '{"data":[{"id":')],
    ['its answer has a larger size than its text', ({ response }) => (response.content.size = 9999)],
    [
      'its Content-Length counts a byte order mark that a browser left out',
      ({ response }) => response.headers.push(header('content-length', response.content.size + 3)),
    ],
    ['its answer has no text', ({ response }) => delete response.content.text],
    ['its answer has no content', ({ response }) => delete response.content],
    [
      'its answer has no text, and Content-Length has a number',
      ({ response }) => {
        response.content = { size: 0 }
        response.headers.push(header('content-length', '100'))
      },
    ],
    [
      'its answer is empty, and nothing says that it was',
      ({ response }) => Object.assign(response, { content: { size: 0, text: '' }, bodySize: 0 }),
    ],
    [
      'a file beside the HAR has its body, as with content: attach of Playwright',
      ({ response }) => (response.content = { size: 100, mimeType: 'application/json', _file: 'a.json' }),
    ],
    [
      'its answer is in base64 and still compressed',
      ({ response }) => {
        const bytes = gzipSync(rows([]))
        response.headers.push(header('content-encoding', 'gzip'))
        response.content = { size: bytes.length, text: bytes.toString('base64'), encoding: 'base64' }
      },
    ],
    ['its request has no text', ({ request }) => delete request.postData.text],
    [
      'its request has params in place of a text',
      ({ request }) => (request.postData = { mimeType: 'x', params: [{ name: 'statement', value: 'x' }] }),
    ],
    ['its request has a length and no postData', ({ request }) => delete request.postData],
    [
      'its request has no postData and no length',
      ({ request }) => {
        delete request.postData
        request.bodySize = -1
      },
    ],
    ['it has no time', (one) => delete one.time],
    ['its time is null, as of a request under way in Chrome', (one) => (one.time = null)],
    ['its time is -1, as in minimal files of Playwright', (one) => (one.time = -1)],
    ['it has no start, as a request from the cache of Safari', (one) => (one.startedDateTime = '')],
    ['its status is 0', ({ response }) => Object.assign(response, { status: 0, content: {}, headers: [] })],
    ['its status is -1', ({ response }) => Object.assign(response, { status: -1, content: { size: -1 } })],
    ['its answer broke off', ({ response }) => (response['_error'] = 'net::ERR_CONTENT_LENGTH_MISMATCH')],
    [
      'the service aborted the connection',
      ({ response }) => Object.assign(response, { status: 0, _error: 'net::ERR_CONNECTION_ABORTED' }),
    ],
  ])('%s', async (_, change) => {
    const { report, exitCode } = await judged(entry(quick), changed(change))
    expect(report).toMatch(/^2 exchanges\n1 exchange not judged: the file lacks .* \(exchange 1\)\n/)
    expect(report).not.toMatch(/fail/)
    expect(exitCode).toBe(3)
  })
})

describe('a file of', () => {
  test.each<[string, (entry: Loose) => unknown]>([
    [
      'HTTP/2 has pseudo headers',
      ({ request, response }) => {
        request.headers.push(header(':method', 'POST'), header(':path', '/'), header('authority', 'h'))
        response.headers.push(header(':status', '200'))
      },
    ],
    [
      'Chrome has fields of its own',
      (one) => Object.assign(one, { _initiator: { type: 'x' }, _priority: 'High' }),
    ],
    [
      'Chrome joins values of headers with line breaks',
      ({ response }) => response.headers.push(header('set-cookie', 'a=1\nb=2')),
    ],
    ['mitmproxy has an error that is null', ({ response }) => (response['_error'] = null)],
    [
      'mitmproxy states the compressed size',
      ({ response }) => {
        const compression = response.content.size - 60
        response.headers.push(header('content-encoding', 'gzip'), header('content-length', '60'))
        Object.assign(response, { content: { ...response.content, size: 60, compression }, bodySize: 60 })
      },
    ],
    [
      'mitmproxy states a compressed size that is larger',
      ({ response }) => {
        const { size } = response.content
        Object.assign(response, {
          content: { ...response.content, size: size + 20, compression: -20 },
          bodySize: size + 20,
        })
      },
    ],
    [
      'Firefox has an encoding that is undefined or null',
      ({ response }) => (response.content.encoding = null),
    ],
    ['Firefox counts the characters of a request', ({ request }) => (request.bodySize -= 2)],
    ['Safari has no postData.params', ({ request }) => delete request.postData.params],
    [
      'some tool does not know sizes',
      ({ request, response }) => {
        request.bodySize = -1
        response.bodySize = -1
        response.content.size = -1
      },
    ],
    [
      'some tool writes a number as the value of a header',
      ({ response }) => response.headers.push(header('age', 5)),
    ],
    ['some tool writes headers without values', ({ response }) => response.headers.push({ name: 'x-empty' })],
    [
      'some tool writes text beyond Latin-1 in a header',
      ({ response }) => response.headers.push(header('x', '\u20ac')),
    ],
    ['some tool writes names of methods in lower case', ({ request }) => (request.method = 'post')],
    [
      'some tool writes comments',
      (one) => Object.assign(one, { comment: 'c', request: { ...one.request, comment: '' } }),
    ],
    [
      'some tool writes starts with a zone',
      (one) => (one.startedDateTime = '2026-01-01T01:00:00.123456+01:00'),
    ],
    [
      'some client writes the path without its last slash',
      ({ request }) => (request.url = endpoint.slice(0, -1)),
    ],
    ['some client adds a query', ({ request }) => (request.url += '?trace=1')],
    ['some service answers from a cache', (one) => Object.assign(one, { _fromCache: 'disk' })],
  ])('%s', async (_, change) => {
    const { report, exitCode } = await judged(changed(change))
    expect(report).toMatch(/^1 exchange\n\n/)
    expect(outcomeIn(report, 'REQ-SQL-3')).toBe('pass')
    expect([report.match(/fail/), exitCode]).toEqual([null, 0])
  })

  test('Windows begins with a byte order mark', async () => {
    expect((await judgeFile(fileOf(`\uFEFF${har(entry())}`))).exitCode).toBe(0)
  })

  test('PowerShell is in UTF-16', async () => {
    expect((await judgeFile(fileOf(Buffer.from(`\uFEFF${har(entry())}`, 'utf16le')))).exitCode).toBe(0)
  })

  test('Chrome without sensitive data shows no token, so REQ-AUTH-4 is not judged', async () => {
    const { report, exitCode } = await judged(changed(({ request }) => request.headers.shift()))
    expect(report).toContain('REQ-AUTH-4 not judged: no request has Authorization')
    expect(outcomeIn(report, 'REQ-AUTH-4')).toBe(undefined)
    expect([outcomeIn(report, 'REQ-SQL-3'), exitCode]).toEqual(['pass', 3])
  })

  test.each(['REDACTED', '[removed]', '***', ''])('some tool conceals a token as "%s"', async (value) => {
    const concealed = changed(({ request }) => (request.headers[0].value = value))
    const { report, exitCode } = await judged(concealed)
    expect([outcomeIn(report, 'REQ-AUTH-4'), exitCode]).toEqual([undefined, 3])
  })

  test('a client that sends its token without Bearer fails', async () => {
    const bare = changed(({ request }) => (request.headers[0].value = TOKEN))
    const { report, exitCode } = await judged(bare)
    expect([outcomeIn(report, 'REQ-AUTH-4'), exitCode]).toEqual(['fail', 1])
    expect(report).not.toContain(TOKEN)
  })

  test.each(['net::ERR_ABORTED', 'NS_BINDING_ABORTED', 'cancelled', 'Client disconnected.'])(
    'a client that left with %s counts as aborted, and fails nothing',
    async (_failureText) => {
      const left = changed(({ response }) =>
        Object.assign(response, { status: -1, headers: [], _failureText }),
      )
      const { report, exitCode } = await judged(entry(quick), left)
      expect(report).toMatch(/^2 exchanges, 1 aborted\n\n/)
      expect(exitCode).toBe(0)
    },
  )

  test.each([
    ['a page of a gateway', 502, '<html>'],
    ['a timeout without a body', 504, ''],
    ['a redirect', 308, ''],
    ['not modified', 304, ''],
  ])('a service has %s, which breaks nothing', async (_, status, answer) => {
    const { report, exitCode } = await judged(entry(), entry({ ...quick, status, answer }))
    expect([report.match(/fail|not judged/), exitCode]).toEqual([null, 0])
  })

  test('an entry twice counts it once', async () => {
    const twice = timedOut(0, { time: 0 })
    const { report, exitCode } = await judged(entry(), twice, twice)
    expect(report).toMatch(/^2 exchanges\n/)
    expect([outcomeIn(report, 'REQ-TIME-4'), exitCode]).toEqual(['pass', 0])
  })
})

const get = (url: string, method = 'GET') => ({ request: { method, url } })

describe('other entries', () => {
  test('are counted and named, without their queries and data, and need no answer', async () => {
    const { report, exitCode } = await judged(
      get('https://data.example.org/app.js?v=1'),
      get('https://cdn.example.org/font.woff'),
      get('wss://data.example.org/live'),
      get('data:text/plain,hello'),
      get(endpoint, 'OPTIONS'),
      get(endpoint, 'HEAD'),
      entry(),
    )
    expect(report).toContain(
      '6 other requests: GET https://data.example.org/app.js, GET https://cdn.example.org/font.woff, GET wss://data.example.org/live, GET data:, OPTIONS https://data.example.org/external/v1/statements, HEAD ',
    )
    expect(exitCode).toBe(0)
  })

  test.each([
    ['no entries', []],
    ['a preflight alone', [get(endpoint, 'OPTIONS')]],
    ['another path alone', [get('https://data.example.org/')]],
  ])('are all there is, so the exit code is 3: %s', async (_, entries) => {
    const { report, exitCode } = await judged(...entries)
    expect(report).toMatch(/^0 exchanges\n(?!REQ)/)
    expect(exitCode).toBe(3)
  })

  test('are those of another service than --base-url names', async () => {
    const twin = changed(({ request }) => (request.url = 'http://twin/plant-1/external/v1/statements/'))
    const file = fileOf(har(entry({ answer: rows([], 'ok', 'OK') }), twin))
    await expect(judgeFile(file)).rejects.toThrow(
      'several services: https://data.example.org, http://twin/plant-1. Name one with --base-url.',
    )
    expect((await judgeFile(file, 'http://twin/plant-1/')).exitCode).toBe(0)
    expect((await judgeFile(file, 'https://data.example.org')).exitCode).toBe(1)
    expect((await judgeFile(file, 'https://elsewhere')).report).toMatch(/^0 exchanges\n/)
  })
})

describe('a broken file is refused with its place:', () => {
  test.each<[string, string, string]>([
    ['an empty one', '', 'the text is empty at column 1'],
    ['a compressed one', 'PK\u0003\u0004', 'expected a value at column 1'],
    ['a cut one', har(entry()).replaceAll(',"', ',\n"').slice(0, 300), 'at line 1'],
    ['JSON of something else', '[]', 'is not a JSON object'],
    ['one without log', '{}', 'log is missing'],
    ['one without entries', '{"log":{}}', 'log.entries is missing'],
    ['entries that are no array', '{"log":{"entries":{}}}', 'log.entries is of the type object, not array'],
  ])('%s', async (_, text, place) => {
    const { sentence, exitCode } = await refused(text)
    expect(sentence).toContain(place)
    expect(exitCode).toBe(2)
  })

  test.each<[string, (entry: Loose) => unknown]>([
    ['log.entries[1].request is missing', (one) => delete one.request],
    ['log.entries[1].request.url is missing', ({ request }) => delete request.url],
    ['log.entries[1].request.url is not an absolute URL', ({ request }) => (request.url = '/external')],
    ['log.entries[1].request.headers is missing', ({ request }) => delete request.headers],
    [
      'log.entries[1].request.headers is of the type object, not array',
      ({ request }) => (request.headers = { authorization: 'Bearer x' }),
    ],
    [
      'log.entries[1].request.headers[0] is of the type null, not object',
      ({ request }) => (request.headers[0] = null),
    ],
    ['log.entries[1].request.headers[0].name is missing', ({ request }) => (request.headers[0] = {})],
    ['log.entries[1].response is missing', (one) => delete one.response],
    [
      'log.entries[1].response.status is of the type string, not number',
      ({ response }) => (response.status = '200'),
    ],
    ['log.entries[1].response.headers is missing', ({ response }) => delete response.headers],
  ])('%s', async (place, change) => {
    const { sentence, exitCode } = await refused(har(entry(), changed(change)))
    expect(sentence).toBe(`The file is not HAR 1.2: ${place}. Export the traffic again.`)
    expect(exitCode).toBe(2)
  })

  test.each(['null', '1', '"x"', '[]'])('an entry that is %s', async (text) => {
    const { sentence, exitCode } = await refused(`{"log":{"entries":[${text}]}}`)
    expect(sentence).toMatch(/log\.entries\[0\] is of the type \w+, not object/)
    expect(exitCode).toBe(2)
  })

  test('a text that quotes a token is not repeated', async () => {
    expect((await refused(har(entry()).replace(`${TOKEN}"`, `${TOKEN}`))).sentence).not.toContain(TOKEN)
  })

  test('more than 256 MiB, with the remedy', async () => {
    const file = fileOf('{}')
    truncateSync(file, 257 * 1024 * 1024)
    await expect(judgeFile(file)).rejects.toThrow(
      /larger than 256 MiB\)\. Record less: .* urlFilter of Playwright/,
    )
  })
})

import { describe, expect, test } from 'vitest'
import { SqlError, StatementRefused, StatementTimeout } from '../statement.ts'
import { createSettings } from './settings.ts'
import { appOf, body, endpoint, pages, post, rows } from '../app/request.test-helper.ts'

const syntaxError = new SqlError('syntax', 'syntax error at or near "SELEC"', '42601')
const emptyText = new SqlError('empty', 'The text is empty. Send exactly one statement.', '42601')
const unknownView = new SqlError('unknown-relation', 'no v_plants', '42P01', 'v_plants')
const brokenColumn = new SqlError('other', 'column "x" does not exist', '42703')
const refused = new StatementRefused('other', 'The function f is not accepted.', '0A000')

/** An application with one variant, and its answers. */
function under(variant: string, outcome?: Parameters<typeof appOf>[0]) {
  const [setting, value] = variant.split('=') as [string, string]
  const { fetch, log } = appOf(outcome, { settings: createSettings({ [setting]: value }) })
  const ask = async (init?: Parameters<typeof post>[0], url = endpoint) => {
    const response = await fetch(post(init, url))
    const text = await response.text()
    const message = () => (JSON.parse(text) as { status: { message: string } }).status.message
    return { status: response.status, headers: response.headers, text, message, type: response.type }
  }
  return { ask, log }
}

test.each([
  ['http.content-type=ignored', { headers: { 'content-type': 'text/plain' } }, 200],
  ['http.content-type=ignored', { headers: { 'content-encoding': 'gzip' } }, 415],
  ['http.content-type=400', { headers: { 'content-type': '' } }, 400],
  ['http.content-type=422', { headers: { 'content-type': 'text/plain' } }, 422],
  ['http.content-type=422', {}, 200],
  ['http.extra-keys=ignored', { body: '{"statement":"SELECT 1","extra":1}' }, 200],
  ['http.extra-keys=400', { body: '{"statement":"SELECT 1","extra":1}' }, 400],
  ['http.extra-keys=422', { body: '{"statement":"SELECT 1","extra":1}' }, 422],
  ['http.extra-keys=422', {}, 200],
  ['http.extra-keys=422', { body: '{"extra":1}' }, 400],
])('under %s, a request with %j gets status %i', async (variant, init, status) => {
  expect(await under(variant).ask(init)).toMatchObject({ status })
})

/** The headers for compression, CORS and caching of an answer. */
const headersUnder = async (variant: string) => {
  const { headers } = await under(variant).ask({ headers: { 'accept-encoding': 'gzip' } })
  return Object.fromEntries(
    ['cache-control', 'content-encoding', 'access-control-allow-origin', 'etag'].flatMap((name) =>
      headers.has(name) ? [[name, headers.get(name)]] : [],
    ),
  )
}

const tag = async (outcome: Parameters<typeof appOf>[0]) =>
  (await under('http.headers=etag', outcome).ask()).headers.get('etag')

describe('http.headers', () => {
  test.each([
    ['no-store', { 'cache-control': 'no-store' }],
    ['none', {}],
    ['gzip', { 'content-encoding': 'gzip' }],
    ['cors', { 'access-control-allow-origin': '*' }],
    ['etag', { etag: expect.stringMatching(/^"[0-9a-f]{16}"$/) }],
  ])('gives an answer the headers of the variant %s', async (variant, headers) => {
    expect(await headersUnder(`http.headers=${variant}`)).toEqual(headers)
  })

  test('gives equal bodies equal tags, other bodies other tags, and every streamed body its own', async () => {
    expect(await tag(() => rows('{"n":1}'))).toBe(await tag(() => rows('{"n":1}')))
    expect(await tag(() => rows('{"n":1}'))).not.toBe(await tag(() => rows('{"n":2}')))
    // shorter ones are sent whole
    const long = `{"n":"${'x'.repeat(1 << 20)}"}`
    expect(await tag(() => pages(long))).not.toBe(await tag(() => pages(long)))
  })
})

describe('a body that is not JSON', () => {
  const notJson = { body: "{'statement': 'SELECT 1'}" }
  const problem = "xpected a property name in double quotes or '}'"
  test.each([
    ['decode-error-parser-text', `JSON decode error: e${problem} at line 1 column 2`],
    ['parser-text', `E${problem}: line 1 column 2 (char 1)`],
    ['parse-error', `JSON parse error - E${problem}: line 1 column 2 (char 1)`],
    ['unexpected-token', "Unexpected token ' in JSON at position 1"],
    ['decode-error', 'JSON decode error'],
    ['invalid-json', 'Invalid JSON'],
  ])('has the message of errors.json-text=%s', async (variant, message) => {
    expect((await under(`errors.json-text=${variant}`).ask(notJson)).message()).toBe(message)
  })

  test('has its error placed in later lines, at its end, or at the start if it is not UTF-8', async () => {
    const { ask } = under('errors.json-text=unexpected-token')
    expect((await ask({ body: '{\n"a": x}' })).message()).toBe('Unexpected token x in JSON at position 7')
    expect((await ask({ body: '{"a": 1' })).message()).toBe('Unexpected end of JSON input')
    expect((await ask({ body: new Uint8Array([0xff]) })).message()).toContain('Unexpected token \ufffd')
  })

  test('gets the answer of a web framework under http.json-error=422', async () => {
    const { status, text } = await under('http.json-error=422').ask(notJson)
    expect(status).toBe(422)
    expect(JSON.parse(text)).toEqual({
      detail: [
        expect.objectContaining({ loc: ['body', 1], msg: expect.stringContaining('JSON decode error') }),
      ],
    })
  })
})

const unknown = (name: string) => () => new SqlError('unknown-relation', 'none', '42P01', name)

describe('an unknown view', () => {
  const sql = { body: body('SELECT 1\nFROM v_plants') }
  const plain = 'relation "v_plants" does not exist'
  test.each([
    ['exact', plain],
    ['error-prefix', `ERROR: ${plain}`],
    ['driver-prefix', `(psycopg2.errors.UndefinedTable) ${plain}`],
    ['line-suffix', `${plain}\nLINE 2: FROM v_plants\n             ^`],
    ['background-suffix', `${plain} (Background on this error at: https://sqlalche.me/e/20/f405)`],
    ['backslashes', 'relation \\"v_plants\\" does not exist'],
    ['63-bytes', plain],
    ['schema-qualified', 'relation "public.v_plants" does not exist'],
  ])('has the message of errors.relation-text=%s', async (variant, message) => {
    expect((await under(`errors.relation-text=${variant}`, unknown('v_plants')).ask(sql)).message()).toBe(
      message,
    )
  })

  test('is named in full though the database cuts long names, unless the variant cuts them too', async () => {
    const long = `v_${'x'.repeat(70)}`
    const cut = long.slice(0, 63)
    const statement = { body: body(`SELECT 1 FROM ${long.toUpperCase()} LIMIT 1`) }
    const messageUnder = async (variant: string) =>
      (await under(`errors.relation-text=${variant}`, unknown(cut)).ask(statement)).message()
    expect(await messageUnder('exact')).toBe(`relation "${long}" does not exist`)
    expect(await messageUnder('63-bytes')).toBe(`relation "${cut}" does not exist`)
  })
})

const withLine = (error: SqlError, statement: string) =>
  under('errors.sql-syntax=database-text-line', () => error).ask({ body: body(statement) })

test('the message of errors.sql-syntax=database-text-line shows the place of the error', async () => {
  expect((await withLine(syntaxError, 'SELEC id\nFROM x')).message()).toBe(
    'syntax error at or near "SELEC"\nLINE 1: SELEC id\n        ^',
  )
  const atEnd = new SqlError('syntax', 'syntax error at end of input', '42601')
  expect((await withLine(atEnd, 'SELECT 1\nFROM')).message()).toBe(
    'syntax error at end of input\nLINE 2: FROM\n            ^',
  )
})

test.each([
  ['all-other', 'Error executing statement', 'Error executing statement'],
  ['non-sql-only', brokenColumn.message, 'Error executing statement'],
  ['never', brokenColumn.message, refused.message],
])('errors.generic=%s decides whether a message tells the cause', async (variant, database, outside) => {
  expect((await under(`errors.generic=${variant}`, () => brokenColumn).ask()).message()).toBe(database)
  expect((await under(`errors.generic=${variant}`, () => refused).ask()).message()).toBe(outside)
})

describe('the message of a success', () => {
  test.each([
    ['executed', 'Statement executed successfully'],
    ['success', 'success'],
    ['empty', ''],
    ['row-count', '2 rows'],
  ])('is that of messages.success=%s', async (variant, message) => {
    for (const outcome of [() => rows('{"n":1},{"n":2}'), () => pages('{"n":1},{', '"n":2}')])
      expect((await under(`messages.success=${variant}`, outcome).ask()).message()).toBe(message)
  })

  test('is that of messages.empty if there are no rows, whatever messages.success is', async () => {
    expect((await under('messages.empty=no-results', () => rows('')).ask()).message()).toBe('No results')
    expect((await under('messages.success=row-count', () => rows('')).ask()).message()).toContain(
      'no results',
    )
    expect((await under('messages.success=row-count', () => rows('{"n":1}')).ask()).message()).toBe('1 row')
  })
})

/** Rows with numbers, with a comma before all but the first. */
const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, n) => `${from + n > 1 ? ',' : ''}{"n":${from + n}}`).join('')

/** A result with this many rows, in pages. */
const result = (count: number) => () => pages(numbers(1, 700), numbers(701, count))

const readRows = async (variant: string, count: number, url?: string) => {
  const { headers, text } = await under(`rows.max=${variant}`, result(count)).ask({}, url)
  const { data, ...rest } = JSON.parse(text) as { data: { n: number }[]; status: { state: string } }
  return {
    link: headers.get('link'),
    first: data[0]?.n,
    last: data.at(-1)?.n,
    ...rest,
    length: data.length,
  }
}

describe('rows.max', () => {
  const success = expect.objectContaining({ state: 'success' })

  test.each(['cut-1000', 'error-1000', '413-1000', 'truncated-1000', 'next-link-1000'])(
    '%s does not change an answer with 1000 rows',
    async (variant) => {
      const { status, ...rest } = await readRows(variant, 1000)
      expect({ ...rest }).toEqual({ link: null, first: 1, last: 1000, length: 1000 })
      expect(status).toMatchObject({ state: 'success' })
    },
  )

  test('cuts an answer with 1001 rows, marks it or rejects it', async () => {
    const cut = { first: 1, last: 1000, length: 1000, status: success }
    expect(await readRows('none', 1001)).toMatchObject({ length: 1001 })
    expect(await readRows('cut-1000', 1001)).toEqual({ ...cut, link: null })
    expect(await readRows('truncated-1000', 1001)).toEqual({ ...cut, link: null, truncated: true })
    expect(await readRows('error-1000', 1001)).toMatchObject({ length: 0, status: { state: 'error' } })
    expect((await under('rows.max=413-1000', result(1001)).ask()).status).toBe(413)
  })

  test('next-link-1000 leads through all pages', async () => {
    const seen: unknown[] = []
    for (let url: string | undefined = endpoint; url !== undefined;) {
      const { link, first, last } = await readRows('next-link-1000', 2500, url)
      seen.push([first, last])
      const next = /^<(.*)>; rel="next"$/.exec(link ?? '')?.[1]
      url = next && new URL(next, url).href
    }
    expect(seen).toEqual([
      [1, 1000],
      [1001, 2000],
      [2001, 2500],
    ])
    expect(await readRows('next-link-1000', 2500, `${endpoint}?page=9`)).toMatchObject({
      length: 0,
      link: null,
    })
  })

  test('ends the statement once the limit is reached', async () => {
    let ended = false
    const chunks = (async function* () {
      try {
        for (;;) yield new TextEncoder().encode(`{"n":1},`.repeat(500))
      } finally {
        ended = true
      }
    })()
    const { status } = await under('rows.max=cut-1000', () => ({ columns: [], chunks })).ask()
    expect(status).toBe(200)
    expect(ended).toBe(true)
  })
})

test.each([
  ['413', 413],
  ['414', 414],
  ['400', 400],
  ['error', 200],
  ['none', 200],
])(
  'statements.max-length=%s decides the status for a statement that is too long',
  async (variant, status) => {
    const { ask } = under(`statements.max-length=${variant}`)
    const reply = await ask({ body: body('x'.repeat(1_048_577)) })
    expect(reply.status).toBe(status)
    expect(reply.text).toContain(variant === 'none' ? 'success' : 'error')
    expect((await ask()).text).toContain('success')
  },
)

test.each([
  ['statements.max-length=reset', () => rows('{"n":1}'), 'x'.repeat(1_048_577)],
  ['timeout.mode=reset', () => new StatementTimeout(1), 'SELECT 1'],
])('%s resets the connection, and the log has the cause', async (variant, outcome, statement) => {
  const { ask, log } = under(variant, outcome)
  expect((await ask({ body: body(statement) })).type).toBe('error')
  expect(log).toMatchObject([{ status: 0, state: 'broken', cause: expect.any(String) }])
})

test('timeout.body=problem-json answers a timeout with a problem document', async () => {
  const { status, headers, text } = await under(
    'timeout.body=problem-json',
    () => new StatementTimeout(1),
  ).ask()
  expect(status).toBe(504)
  expect(headers.get('content-type')).toBe('application/problem+json')
  expect(JSON.parse(text)).toMatchObject({ status: 504, detail: expect.stringContaining('longer than 1 ms') })
})

test.each([
  ['http.success=201', () => pages('{"n":1}'), 201],
  ['http.unknown-view=404', () => unknownView, 404],
  ['http.exception=500', () => brokenColumn, 500],
  ['http.exception=200', () => brokenColumn, 200],
])('%s decides the status of an answer', async (variant, outcome, status) => {
  expect(await under(variant, outcome).ask()).toMatchObject({ status })
})

test.each([
  ['200', 200, null],
  ['307', 307, 'statements/'],
  ['404', 404, null],
])('http.no-slash=%s decides the answer to the path without its slash', async (variant, status, location) => {
  const answer = await under(`http.no-slash=${variant}`).ask({}, endpoint.slice(0, -1))
  expect(answer.status).toBe(status)
  expect(answer.headers.get('location')).toBe(location)
})

test.each([
  ['http.json-error=400', '{', 400],
  ['http.bad-request=422', '{}', 422],
  ['http.bad-request=200-envelope', '{}', 200],
])('%s decides the status for an unreadable body', async (variant, body, status) => {
  expect(await under(variant).ask({ body })).toMatchObject({ status })
})

test.each([
  ['error', 200, 'Error executing statement'],
  ['400', 400, 'The text is empty. Send exactly one statement.'],
  ['422', 422, 'The text is empty. Send exactly one statement.'],
])('sql.empty=%s decides the answer to an empty statement', async (variant, status, message) => {
  const answer = await under(`sql.empty=${variant}`, () => emptyText).ask()
  expect(answer.status).toBe(status)
  expect(JSON.parse(answer.text)).toEqual({ data: [], status: { state: 'error', message } })
})

test.each([
  ['decode-error', 'JSON decode error'],
  ['database-text', 'syntax error at or near "SELEC"'],
  ['generic', 'Error executing statement'],
])('errors.sql-syntax=%s decides the message of a syntax error', async (variant, message) => {
  expect((await under(`errors.sql-syntax=${variant}`, () => syntaxError).ask()).message()).toBe(message)
})

test.each([
  ['html', /^<html>/],
  ['message', /^{"message":"Endpoint request timed out"}$/],
  ['empty', /^$/],
])('timeout.body=%s decides the body of a timeout', async (variant, text) => {
  expect(await under(`timeout.body=${variant}`, () => new StatementTimeout(1)).ask()).toMatchObject({
    status: 504,
    text: expect.stringMatching(text),
  })
})

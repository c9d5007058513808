import { describe, expect, test } from 'vitest'
import { SqlError, StatementRefused, StatementTimeout } from '../../engine/engine.ts'
import { createSettings } from '../settings.ts'
import { appOf, body, endpoint, pages, post, rows } from '../request.test-helper.ts'

const syntaxError = new SqlError('syntax', 'syntax error at or near "SELEC"', '42601')
const brokenColumn = new SqlError('other', 'column "x" does not exist', '42703')
const refused = new StatementRefused('other', 'The function f is not accepted.', '0A000')

/** An application with one variant, and what it answers. */
function under(variant: string, outcome?: Parameters<typeof appOf>[0]) {
  const [knob, slug] = variant.split('=') as [string, string]
  const { fetch, log } = appOf(outcome, { settings: createSettings({ [knob]: slug }) })
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
])('%s answers %j with %i', async (variant, init, status) => {
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
  ])('%s', async (slug, headers) => {
    expect(await headersUnder(`http.headers=${slug}`)).toEqual(headers)
  })

  test('tags of one body are the same, those of two are not, and rows on their way have one each', async () => {
    expect(await tag(() => rows('{"n":1}'))).toBe(await tag(() => rows('{"n":1}')))
    expect(await tag(() => rows('{"n":1}'))).not.toBe(await tag(() => rows('{"n":2}')))
    expect(await tag(() => pages('{"n":1}'))).not.toBe(await tag(() => pages('{"n":1}')))
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
  ])('errors.json-text=%s', async (slug, message) => {
    expect((await under(`errors.json-text=${slug}`).ask(notJson)).message()).toBe(message)
  })

  test('is placed in later lines, at its end, and where it is no text at all', async () => {
    const { ask } = under('errors.json-text=unexpected-token')
    expect((await ask({ body: '{\n"a": x}' })).message()).toBe('Unexpected token x in JSON at position 7')
    expect((await ask({ body: '{"a": 1' })).message()).toBe('Unexpected end of JSON input')
    expect((await ask({ body: new Uint8Array([0xff]) })).message()).toContain('Unexpected token \ufffd')
  })

  test('http.json-error=422 is the answer of a web framework', async () => {
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
  ])('errors.relation-text=%s', async (slug, message) => {
    expect((await under(`errors.relation-text=${slug}`, unknown('v_plants')).ask(sql)).message()).toBe(
      message,
    )
  })

  test('of a long name is told whole, though the database has cut it, unless the variant cuts', async () => {
    const long = `v_${'x'.repeat(70)}`
    const cut = long.slice(0, 63)
    const statement = { body: body(`SELECT 1 FROM ${long.toUpperCase()} LIMIT 1`) }
    const told = async (slug: string) =>
      (await under(`errors.relation-text=${slug}`, unknown(cut)).ask(statement)).message()
    expect(await told('exact')).toBe(`relation "${long}" does not exist`)
    expect(await told('63-bytes')).toBe(`relation "${cut}" does not exist`)
  })
})

const withLine = (error: SqlError, statement: string) =>
  under('errors.sql-syntax=database-text-line', () => error).ask({ body: body(statement) })

test('errors.sql-syntax=database-text-line shows the place', async () => {
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
])('errors.generic=%s', async (slug, database, outside) => {
  expect((await under(`errors.generic=${slug}`, () => brokenColumn).ask()).message()).toBe(database)
  expect((await under(`errors.generic=${slug}`, () => refused).ask()).message()).toBe(outside)
})

describe('the message of a success', () => {
  test.each([
    ['executed', 'Statement executed successfully'],
    ['success', 'success'],
    ['empty', ''],
    ['row-count', '2 rows'],
  ])('messages.success=%s', async (slug, message) => {
    for (const outcome of [() => rows('{"n":1},{"n":2}'), () => pages('{"n":1},{', '"n":2}')])
      expect((await under(`messages.success=${slug}`, outcome).ask()).message()).toBe(message)
  })

  test('messages.empty=no-results, whatever it says of rows', async () => {
    expect((await under('messages.empty=no-results', () => rows('')).ask()).message()).toBe('No results')
    expect((await under('messages.success=row-count', () => rows('')).ask()).message()).toContain(
      'no results',
    )
    expect((await under('messages.success=row-count', () => rows('{"n":1}')).ask()).message()).toBe('1 row')
  })
})

/** Rows with numbers, with the comma that stands between them and those before. */
const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, n) => `${from + n > 1 ? ',' : ''}{"n":${from + n}}`).join('')

/** So many rows, in pages. */
const result = (count: number) => () => pages(numbers(1, 700), numbers(701, count))

const readRows = async (slug: string, count: number, url?: string) => {
  const { headers, text } = await under(`rows.max=${slug}`, result(count)).ask({}, url)
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
    '%s leaves 1000 rows alone',
    async (slug) => {
      const { status, ...rest } = await readRows(slug, 1000)
      expect({ ...rest }).toEqual({ link: null, first: 1, last: 1000, length: 1000 })
      expect(status).toMatchObject({ state: 'success' })
    },
  )

  test('one more is cut, told, or an error', async () => {
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

  test('gives the rest of the result up', async () => {
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
])('statements.max-length=%s', async (slug, status) => {
  const { ask } = under(`statements.max-length=${slug}`)
  const reply = await ask({ body: body('x'.repeat(1_048_577)) })
  expect(reply.status).toBe(status)
  expect(reply.text).toContain(slug === 'none' ? 'success' : 'error')
  expect((await ask()).text).toContain('success')
})

test.each([
  ['statements.max-length=reset', () => rows('{"n":1}'), 'x'.repeat(1_048_577)],
  ['timeout.mode=reset', () => new StatementTimeout(1), 'SELECT 1'],
])('%s breaks the connection off, and the log tells', async (variant, outcome, statement) => {
  const { ask, log } = under(variant, outcome)
  expect((await ask({ body: body(statement) })).type).toBe('error')
  expect(log).toMatchObject([{ status: 0, state: 'broken', cause: expect.any(String) }])
})

test('timeout.body=problem-json', async () => {
  const { status, headers, text } = await under(
    'timeout.body=problem-json',
    () => new StatementTimeout(1),
  ).ask()
  expect(status).toBe(504)
  expect(headers.get('content-type')).toBe('application/problem+json')
  expect(JSON.parse(text)).toMatchObject({ status: 504, detail: expect.stringContaining('longer than 1 ms') })
})

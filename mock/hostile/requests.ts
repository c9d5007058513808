import { type Hostile, outcome, requests } from './hostile.ts'

const { refused, syntax, answered, status } = outcome
const path = '/external/v1/statements/'
const select = '{"statement":"SELECT 1 AS a"}'
const bytes = (...values: number[]) => new Uint8Array(values)
const utf8 = new TextEncoder()
/** A proper body with these bytes in the statement's text. */
const around = (middle: Uint8Array) =>
  new Uint8Array([...utf8.encode('{"statement":"SELECT \''), ...middle, ...utf8.encode('\' AS a"}')])

const json: readonly Hostile[] = [
  ...requests('json', 'a body that is not JSON is reported as a JSON decode error', {
    'json-empty': [{ body: '' }, syntax],
    'json-quotes': [{ body: "{'statement': 'SELECT 1'}" }, syntax],
    'json-open': [{ body: '{"statement":"SELECT 1"' }, syntax],
    'json-trailing': [{ body: `${select} ${select}` }, syntax],
    'json-comma': [{ body: '{"statement":"SELECT 1",}' }, syntax],
    'json-comment': [{ body: `/* */ ${select}` }, syntax],
    'json-newline': [{ body: '{"statement":"SELECT\n1"}' }, syntax],
    'json-zero-byte': [{ body: '{"statement":"SELECT \0 1"}' }, syntax],
    'json-escape': [{ body: '{"statement":"SELECT \\x41"}' }, syntax],
    'json-nan': [{ body: '{"statement":NaN}' }, syntax],
    'json-invalid-utf8': [{ body: around(bytes(0xff)) }, syntax],
    'json-overlong-utf8': [{ body: around(bytes(0xc0, 0xa7)) }, syntax],
    'json-surrogate-utf8': [{ body: around(bytes(0xed, 0xa0, 0x80)) }, syntax],
    'json-cut-utf8': [{ body: around(bytes(0xe2, 0x82)) }, syntax],
    'json-utf16': [{ body: bytes(0xff, 0xfe, 0x7b, 0, 0x7d, 0) }, syntax],
    'json-utf16-big': [{ body: bytes(0xfe, 0xff, 0, 0x7b, 0, 0x7d) }, syntax],
    'json-two-marks': [{ body: `\ufeff\ufeff${select}` }, syntax],
    'json-form': [{ body: 'statement=SELECT+1' }, syntax],
    'json-deep-open': [{ body: '['.repeat(1_000_000) }, syntax],
    'json-deep-objects': [{ body: '{"a":'.repeat(200_000) }, syntax],
  }),
  ...requests('json', 'JSON without a string "statement" is a bad request', {
    'json-null': [{ body: 'null' }, status(400)],
    'json-array': [{ body: `[${select}]` }, status(400)],
    'json-string': [{ body: '"SELECT 1"' }, status(400)],
    'json-number': [{ body: '{"statement":1e999999}' }, status(400)],
    'json-huge-number': [{ body: `{"statement":${'9'.repeat(100_000)}}` }, status(400)],
    'json-null-statement': [{ body: '{"statement":null}' }, status(400)],
    'json-list': [{ body: '{"statement":["SELECT 1"]}' }, status(400)],
    'json-case': [{ body: '{"Statement":"SELECT 1"}' }, status(400)],
    'json-proto': [{ body: '{"__proto__":{"statement":"SELECT 1"}}' }, status(400)],
    'json-last-key': [{ body: '{"statement":"SELECT 1","statement":1}' }, status(400)],
  }),
  ...requests('json', 'unusual JSON is JSON', {
    'json-mark': [{ body: `\ufeff${select}` }, answered],
    'json-duplicate': [{ body: '{"statement":"DROP","statement":"SELECT 1 AS a"}' }, answered],
    'json-key-escape': [{ body: '{"\\u0073tatement":"\\u0053ELECT 1"}' }, answered],
    'json-extra': [{ body: '{"statement":"SELECT 1","role":"postgres","constructor":{}}' }, answered],
    'json-deep-valid': [
      { body: `{"a":${'['.repeat(1000)}${']'.repeat(1000)},"statement":"SELECT 1"}` },
      answered,
    ],
    'json-space': [{ body: ` \t\r\n${select}\n` }, answered],
  }),
  ...requests('json', 'what is escaped in JSON is unescaped for the gate too', {
    'json-escaped-zero': [{ body: '{"statement":"SELECT \\u0000"}' }, refused],
    'json-escaped-surrogate': [{ body: '{"statement":"SELECT \'\\ud800\'"}' }, refused],
    'json-escaped-stack': [{ body: '{"statement":"SELECT 1\\u003b COMMIT"}' }, refused],
    'json-duplicate-drop': [
      { body: '{"statement":"SELECT 1","statement":"DROP VIEW v_quantities"}' },
      refused,
    ],
  }),
]

const http: readonly Hostile[] = [
  ...requests('http', 'the endpoint takes POST', {
    'http-get': [{ method: 'GET', body: '' }, status(405)],
    'http-put': [{ method: 'PUT' }, status(405)],
    'http-delete': [{ method: 'DELETE' }, status(405)],
    'http-patch': [{ method: 'PATCH' }, status(405)],
    'http-propfind': [{ method: 'PROPFIND' }, status(405)],
    'http-override': [
      { method: 'GET', headers: { 'x-http-method-override': 'POST' }, body: '' },
      status(405),
    ],
    'http-lower': [{ method: 'post' }, { status: [400] }],
    'http-unknown': [{ method: 'STEAL' }, { status: [400] }],
    'http-trace': [{ method: 'TRACE', body: '' }, { status: [400, 405, 500] }],
    'http-connect': [{ method: 'CONNECT', path: '127.0.0.1:22', body: '' }, { status: [] }],
  }),
  ...requests('http', 'only the endpoint is there, by its one spelling', {
    'path-no-slash': [{ path: path.slice(0, -1) }, status(404)],
    'path-double-slash': [{ path: `/${path}` }, { status: [404] }],
    'path-upper': [{ path: path.toUpperCase() }, status(404)],
    'path-suffix': [{ path: `${path}x` }, status(404)],
    'path-dots': [{ path: `${path}../../../../etc/passwd` }, status(404)],
    'path-encoded-dots': [
      { path: '/schemas/%2e%2e/%2e%2e/package.json', method: 'GET', body: '' },
      status(404),
    ],
    'path-schemas-dots': [{ path: '/schemas/../../package.json', method: 'GET', body: '' }, status(404)],
    'path-encoded-slash': [{ path: '/external%2fv1%2fstatements%2f' }, status(404)],
    'path-zero': [{ path: `${path}%00` }, status(404)],
    'path-bad-escape': [{ path: '/%zz%', method: 'GET', body: '' }, { status: [400, 404] }],
    'path-proto': [{ path: '/schemas/__proto__', method: 'GET', body: '' }, status(404)],
    'path-long': [{ path: `/${'a'.repeat(10_000)}` }, { status: [404, 414] }],
    'path-too-long': [{ path: `/${'a'.repeat(100_000)}` }, { status: [414, 431] }],
    'path-asterisk': [{ path: '*', method: 'OPTIONS', body: '' }, { status: [400, 404, 405, 500] }],
    'path-query': [{ path: `${path}?statement=DROP` }, answered],
    'path-absolute': [{ path: `http://evil.example${path}` }, { status: [200, 400, 404] }],
    'path-hash': [{ path: `${path}#/../x` }, { status: [200, 400, 404] }],
  }),
  ...requests('http', 'the body is JSON, in UTF-8, uncompressed', {
    'type-missing': [{ headers: { 'content-type': null } }, status(415)],
    'type-text': [{ headers: { 'content-type': 'text/plain' } }, status(415)],
    'type-form': [{ headers: { 'content-type': 'application/x-www-form-urlencoded' } }, status(415)],
    'type-twice': [{ headers: { 'content-type': 'application/json, text/plain' } }, status(415)],
    'type-charset': [{ headers: { 'content-type': 'application/json; charset=utf-16' } }, status(415)],
    'type-boundary': [{ headers: { 'content-type': 'multipart/form-data; boundary=x' } }, status(415)],
    'encoding-gzip': [{ headers: { 'content-encoding': 'gzip' } }, status(415)],
    'encoding-bomb': [{ headers: { 'content-encoding': 'gzip, gzip, br' } }, status(415)],
    'type-upper': [{ headers: { 'content-type': 'Application/JSON;Charset="UTF-8"' } }, answered],
  }),
  ...requests('http', 'headers can not make the server hold much or believe much', {
    'header-huge': [{ headers: { 'x-a': 'a'.repeat(200_000) } }, { status: [431] }],
    'header-many': [
      { headers: Object.fromEntries(Array.from({ length: 3_000 }, (_, n) => [`x-${n}`, 'a'])) },
      { status: [431, 200] },
    ],
    'header-space': [{ headers: { 'x a': 'b' } }, { status: [400] }],
    'header-control': [{ headers: { 'x-a': 'a\x00b' } }, { status: [400] }],
    'header-forwarded': [{ headers: { 'x-forwarded-for': '127.0.0.1', forwarded: 'for=_x' } }, answered],
    'header-expect': [{ headers: { expect: 'nonsense' } }, { status: [200, 417] }],
    'header-variant': [{ headers: { 'x-mock-variant': '__proto__=x' } }, status(400)],
    'header-variant-text': [{ headers: { 'x-mock-variant': "rows.shape='; DROP" } }, status(400)],
    'header-upgrade': [
      { headers: { connection: 'close, upgrade', upgrade: 'websocket' } },
      { status: [200, 400, 426] },
    ],
    'body-too-long': [{ body: ' '.repeat(7_000_000) }, status(413)],
  }),
  ...requests('http', 'the pages about the server answer this machine by its own names only', {
    'mock-rebound': [
      { path: '/_mock/ready', method: 'GET', headers: { host: 'evil.example' }, body: '' },
      status(403),
    ],
    'mock-prefix': [
      { path: '/_mock/health', method: 'GET', headers: { host: '127.0.0.1.evil.example' }, body: '' },
      status(403),
    ],
    'mock-origin': [
      { path: '/_mock/ready', method: 'GET', headers: { origin: 'https://evil.example' }, body: '' },
      status(403),
    ],
    'mock-null-origin': [
      { path: '/_mock/ready', method: 'GET', headers: { origin: 'null' }, body: '' },
      status(403),
    ],
  }),
]

const auth: readonly Hostile[] = requests('auth', 'rows are for those who hold a token', {
  'auth-none': [{ headers: { authorization: null } }, status(401)],
  'auth-empty': [{ headers: { authorization: '' } }, status(401)],
  'auth-scheme-only': [{ headers: { authorization: 'Bearer' } }, status(401)],
  'auth-blank': [{ headers: { authorization: 'Bearer  ' } }, status(401)],
  'auth-basic': [{ headers: { authorization: 'Basic dDp0' } }, status(401)],
  'auth-wrong': [{ headers: { authorization: 'Bearer wrong' } }, status(401)],
  'auth-prefix': [{ headers: { authorization: 'Bearer hostile-toke' } }, status(401)],
  'auth-suffix': [{ headers: { authorization: 'Bearer hostile-tokenn' } }, status(401)],
  'auth-repeated': [{ headers: { authorization: 'Bearer hostile-tokenhostile-token' } }, status(401)],
  'auth-case': [{ headers: { authorization: 'Bearer HOSTILE-TOKEN' } }, status(401)],
  'auth-two': [{ headers: { authorization: 'Bearer wrong, Bearer hostile-token' } }, status(401)],
  'auth-token-twice': [{ headers: { authorization: 'Bearer hostile-token hostile-token' } }, status(401)],
  'auth-quoted': [{ headers: { authorization: 'Bearer "hostile-token"' } }, status(401)],
  'auth-undefined': [{ headers: { authorization: 'Bearer undefined' } }, status(401)],
  'auth-none-jwt': [{ headers: { authorization: 'Bearer eyJhbGciOiJub25lIn0.e30.' } }, status(401)],
  'auth-latin1': [{ headers: { authorization: 'Bearer hostile-tok\u00e9n' } }, status(401)],
  'auth-long': [{ headers: { authorization: `Bearer ${'a'.repeat(10_000)}` } }, status(401)],
  'auth-query': [
    { path: `${path}?access_token=hostile-token`, headers: { authorization: null } },
    status(401),
  ],
  'auth-body': [
    { headers: { authorization: null }, body: '{"statement":"SELECT 1","access_token":"hostile-token"}' },
    status(401),
  ],
  'auth-cookie': [
    { headers: { authorization: null, cookie: 'authorization=Bearer hostile-token' } },
    status(401),
  ],
  'auth-proxy': [
    { headers: { authorization: null, 'proxy-authorization': 'Bearer hostile-token' } },
    status(401),
  ],
  'auth-before-body': [{ headers: { authorization: null }, body: '{' }, status(401)],
  'auth-lower': [{ headers: { authorization: 'bearer hostile-token' } }, answered],
})

export const overHttp: readonly Hostile[] = [...json, ...http, ...auth]

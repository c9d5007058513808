import type { Hostile, Outcome } from './hostile.ts'

const body = '{"statement":"SELECT 1 AS a"}'
const drop = '{"statement":"DROP VIEW v_quantities"}'
const head = (...headers: string[]) =>
  [
    'POST /external/v1/statements/ HTTP/1.1',
    'Host: localhost',
    'Authorization: Bearer hostile-token',
    'Content-Type: application/json',
    ...headers,
    '',
    '',
  ].join('\r\n')
const whole = (text: string, ...headers: string[]) =>
  head(`Content-Length: ${text.length}`, ...headers) + text
const closing = 'Connection: close'
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`

interface Bare {
  readonly pieces: readonly string[]
  readonly pauseMs?: number
  readonly hangUp?: true
  readonly must: Outcome
}

/** The server may say so or just hang up. */
const badRequest: Outcome = { status: [400], answers: 1 }
const gone: Outcome = { status: [] }

const bare: Readonly<Record<string, Bare>> = {
  'half-line': { pieces: ['POST /exter'], hangUp: true, must: gone },
  'half-headers': {
    pieces: ['POST /external/v1/statements/ HTTP/1.1\r\nHost: x\r\n'],
    hangUp: true,
    must: gone,
  },
  'half-body': { pieces: [head('Content-Length: 100'), '{"stat'], hangUp: true, must: gone },
  'left-while-running': {
    pieces: [whole('{"statement":"SELECT pg_sleep(60)"}')],
    pauseMs: 100,
    hangUp: true,
    must: gone,
  },
  'left-while-streaming': {
    pieces: [whole('{"statement":"SELECT * FROM v_timeseries_data"}')],
    pauseMs: 30,
    hangUp: true,
    must: gone,
  },
  'slow-body': {
    pieces: [head(`Content-Length: ${body.length}`, closing), ...body],
    pauseMs: 20,
    must: { status: [200], state: 'success' },
  },
  'slow-headers': {
    pieces: [...whole(body, closing)],
    pauseMs: 2,
    must: { status: [200], state: 'success' },
  },
  'no-http': { pieces: ['hello\r\n\r\n'], must: badRequest },
  'postgres-startup': { pieces: ['\0\0\0\b\u0004\u00d2\u0016\u002f'], must: badRequest },
  'tls-hello': { pieces: ['\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'], must: badRequest },
  'http-2-preface': { pieces: ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'], must: badRequest },
  'http-0.9': { pieces: ['GET /\r\n\r\n'], must: badRequest },
  'http-9': { pieces: [whole(body, closing).replace('HTTP/1.1', 'HTTP/9.9')], must: badRequest },
  'no-host': { pieces: [whole(body, closing).replace('Host: localhost\r\n', '')], must: badRequest },
  'bare-newlines': {
    pieces: [whole(body, closing).replaceAll('\r\n', '\n')],
    must: { status: [200, 400] },
  },
  'folded-header': {
    pieces: [head('X-A: b\r\n c', `Content-Length: ${body.length}`, closing) + body],
    must: { status: [200, 400] },
  },
  'header-injection': { pieces: [whole(body, 'X-A: b\rX-B: c', closing)], must: badRequest },
  'smuggle-cl-te': {
    pieces: [head('Content-Length: 6', 'Transfer-Encoding: chunked') + '0\r\n\r\nG'],
    must: badRequest,
  },
  'smuggle-te-cl': {
    pieces: [head('Transfer-Encoding: chunked', 'Content-Length: 4') + chunk(whole(drop)) + '0\r\n\r\n'],
    must: badRequest,
  },
  'smuggle-two-lengths': {
    pieces: [head('Content-Length: 5', 'Content-Length: 29') + body],
    must: badRequest,
  },
  'smuggle-te-te': {
    pieces: [head('Transfer-Encoding: chunked', 'Transfer-Encoding: identity') + '0\r\n\r\n'],
    must: { status: [400, 501] },
  },
  'smuggle-te-space': {
    pieces: [head('Transfer-Encoding : chunked', 'Content-Length: 3') + '0\r\n\r\n'],
    must: badRequest,
  },
  'smuggle-te-unknown': {
    pieces: [head('Transfer-Encoding: xchunked', closing) + '0\r\n\r\n'],
    must: { status: [400, 501] },
  },
  'smuggle-body': {
    // the second request is the first one's body: one answer
    pieces: [head(`Content-Length: ${whole(drop).length}`, closing) + whole(drop)],
    must: { status: [200], state: 'error', message: /^JSON decode error/, answers: 1 },
  },
  'length-negative': { pieces: [head('Content-Length: -1') + body], must: badRequest },
  'length-hex': { pieces: [head('Content-Length: 0x1d') + body], must: badRequest },
  'length-huge': {
    pieces: [head('Content-Length: 99999999999999999999')],
    must: { status: [400, 413] },
  },
  'length-announced': {
    pieces: [head('Content-Length: 7000000')],
    hangUp: true,
    pauseMs: 300,
    must: { status: [413] },
  },
  'length-short': {
    // the rest is no second request: node refuses it, at once or after the first answer
    pieces: [head('Content-Length: 10', closing) + body],
    must: { status: [200, 400], answers: 1 },
  },
  chunked: {
    pieces: [
      head('Transfer-Encoding: chunked', closing),
      chunk(body.slice(0, 5)),
      chunk(body.slice(5)),
      '0\r\n\r\n',
    ],
    pauseMs: 5,
    must: { status: [200], state: 'success' },
  },
  'chunk-size-broken': {
    pieces: [head('Transfer-Encoding: chunked') + 'zz\r\n{}\r\n0\r\n\r\n'],
    must: badRequest,
  },
  'chunk-size-huge': {
    pieces: [head('Transfer-Encoding: chunked') + 'ffffffffffffffffff\r\n{}'],
    must: badRequest,
  },
  'chunk-extension-flood': {
    pieces: [head('Transfer-Encoding: chunked') + `1;${'a'.repeat(100_000)}\r\n{\r\n`],
    must: { status: [400, 413] },
  },
  'chunk-trailer': {
    pieces: [
      head('Transfer-Encoding: chunked', closing) + chunk(body) + '0\r\nAuthorization: Bearer x\r\n\r\n',
    ],
    must: { status: [200], state: 'success' },
  },
  'chunks-too-long': {
    pieces: [head('Transfer-Encoding: chunked', closing), ...Array(8).fill(chunk(' '.repeat(1 << 20)))],
    must: { status: [413] },
  },
  pipelined: {
    pieces: [whole(body) + whole(drop) + whole(body, closing)],
    must: { status: [200], state: 'success', answers: 3 },
  },
  'pipelined-flood': {
    pieces: [whole(body).repeat(200) + whole(body, closing)],
    must: { status: [200], state: 'success', answers: 201 },
  },
}

/** Bytes that no proper client writes, over a real socket. */
export const sockets: readonly Hostile[] = Object.entries(bare).map(
  ([id, { pieces, pauseMs = 0, hangUp, must }]) => ({
    id: `socket-${id}`,
    kind: 'socket',
    send: { pieces, pauseMs, ...(hangUp && { hangUp }) },
    must,
    why: 'the server ends what is not HTTP, and what is cut into pieces is put together right',
  }),
)

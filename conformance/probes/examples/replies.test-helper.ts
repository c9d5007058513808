import { refuse, respond, rowsReply, type Handmade } from '../handmade.test-helper.ts'
import { BAD_JSON, archive, on, type Examples } from './services.test-helper.ts'

const LIBERTIES = /v_archived_records/

const rejecting = (pattern: RegExp, answer = () => refuse(200)): Handmade => on(pattern, answer, archive)

const WRITES = /^(UPDATE|DELETE|INSERT|WITH gone)/

const two = (...ids: string[]): Handmade => ({
  rows: { v_quantities: [{ id: 'q' }], v_formulas: [{ id: 'f' }] },
  answer: ({ sql }) => (/LIMIT 1; SELECT/.test(sql) ? rowsReply(ids.map((id) => ({ id }))) : undefined),
})

/** How single requests are answered. */
export const replies: Examples = {
  'NS-16': Object.fromEntries(
    ['200', '201', '202', '207'].map((status) => [
      status,
      on(/LIMIT 1$/, () =>
        respond(Number(status), { data: [{ id: 'b' }], status: { state: 'success', message: 'done' } }),
      ),
    ]),
  ),
  'NS-17': {
    'select-only': rejecting(WRITES),
    documented: rejecting(/ORDER BY/),
    'allow-list': rejecting(/GROUP BY/),
    any: on(WRITES, () => rowsReply([]), archive),
  },
  'NS-18': {
    error: on(/LIMIT 1; SELECT/, () => refuse(400)),
    first: two('q'),
    last: two('f'),
    merged: two('q', 'f'),
  },
  'NS-19': {
    success: on(/^\{"statement":""/, () => rowsReply([])),
    error: on(/^\{"statement":""/, () => refuse(200)),
    '400': on(/^\{"statement":""/, () => refuse(400)),
    '422': on(/^\{"statement":""/, () => respond(422, { detail: [] })),
  },
  'NS-24': Object.fromEntries(
    ['200', '400', '404', '422', '500'].map((status) => [
      status,
      on(/v_no_such_view/, () => refuse(Number(status))),
    ]),
  ),
  'NS-25': Object.fromEntries(
    ['200', '400', '500', '502'].map((status) => [status, on(/1\/0/, () => refuse(Number(status)))]),
  ),
  'NS-26': {
    ...Object.fromEntries(
      ['200', '400', '415', '500'].map((status) => [status, on(BAD_JSON, () => refuse(Number(status)))]),
    ),
    '422': on(BAD_JSON, () => respond(422, { detail: [] })),
  },
  'NS-46': {
    '404': {},
    '200': on(/statements$/, () => rowsReply([])),
    '307': on(/statements$/, () => respond(307, '', { location: '/' })),
    '301': on(/statements$/, () => respond(301, '', { location: '/' })),
  },
  'NS-47': {
    ignored: {},
    ...Object.fromEntries(
      ['415', '400', '422'].map((status) => [
        status,
        {
          answer: ({ headers }) =>
            headers['Content-Type'] === 'text/plain' ? refuse(Number(status)) : undefined,
        } satisfies Handmade,
      ]),
    ),
  },
  'NS-48': {
    '400': on(/^\{\}$/, () => refuse(400)),
    '422': on(/^\{\}$/, () => respond(422, { detail: [] })),
    '200-envelope': on(/^\{\}$/, () => refuse(200)),
    '500': on(/^\{\}$/, () => respond(500, 'oops')),
  },
  'NS-49': {
    ignored: on(LIBERTIES, () => rowsReply([])),
    '400': rejecting(/"extra"/, () => refuse(400)),
    '422': rejecting(/"extra"/, () => respond(422, { detail: [] })),
  },
  'NS-55': {
    none: {},
    gzip: { headers: { 'content-encoding': 'gzip' } },
    cors: { headers: { 'access-control-allow-origin': '*' } },
    etag: { headers: { etag: '"1"' } },
    'no-store': { headers: { 'cache-control': 'private, no-store' } },
  },
  'NS-63': { accepted: archive, error: rejecting(/;$/) },
  'NS-64': { accepted: archive, refused: rejecting(/archived_at >/) },
}

import type { Handmade } from './handmade.test-helper.ts'
import { refuse, respond, rowsReply } from './handmade.test-helper.ts'
import { view } from '../../schemas/index.ts'
import type { Reply } from '../target/reply.ts'
import { readReply } from '../target/reply.ts'
import type { Target } from '../target/target.ts'

type Row = Record<string, unknown>
/** For each slug of a silence a service that does it. */
export type Examples = Record<string, Handmade>

const runs = (...rows: Row[]): Handmade => ({
  rows: { v_bioprocesses: rows.map((row, index) => ({ id: `b${index}`, ...row })) },
})
const scalars = (...rows: Row[]): Handmade => ({ rows: { v_bioprocess_quantity_data: rows } })
const quantities = (...rows: Row[]): Handmade => ({ rows: { v_quantities: rows } })
const formulas = (...states: string[]): Handmade => ({
  rows: { v_formulas: states.map((state, index) => ({ id: `f${index}`, state })) },
})
const results = (...rows: Row[]): Handmade => ({ rows: { v_formula_results: rows } })
const single = (data: unknown, statistic: number | null = 1): Row => ({
  data,
  timeseries: null,
  ...Object.fromEntries(
    ['min', 'max', 'arithmetic_mean', 'standard_deviation', 'sum', 'first', 'last', 'count'].map((name) => [
      `timeseries_statistics_${name}`,
      statistic,
    ]),
  ),
})

const START = '2025-03-01T08:00:00.000000+00:00'
const RUN = '2025-03-01T09:00:00.000000+00:00'
const FIRST = '2025-03-01T10:00:00.000000+00:00'
const END = '2025-03-02T08:00:00.000000+00:00'
const RUN_END = '2025-03-02T07:00:00.000000+00:00'
const HOUR = 3_600_000
const [EPOCH] = [Date.parse(FIRST)]

const series = (first: number, offset: number): Handmade => ({
  rows: {
    v_bioprocesses: [{ id: 'b', start_timestamp: START, run_start_timestamp: RUN }],
    v_formula_results: [
      {
        bioprocess_id: 'b',
        data: null,
        timeseries: { data: [1, 2], times_ms: [first, first + 60_000] },
        timeseries_start_timestamp: FIRST,
        timeseries_offset_ms: offset,
      },
    ],
  },
})

const lasting = (duration_ms: number): Handmade =>
  runs({
    start_timestamp: START,
    run_start_timestamp: RUN,
    run_end_timestamp: RUN_END,
    end_timestamp: END,
    duration_ms,
  })

/** Points 1, 2, 4 and one without a value: the deviations are sqrt(7/3) and sqrt(14/9). */
const points = (count: number, standard_deviation: number): Handmade => ({
  rows: {
    v_timeseries: [{ id: 's', statistics: { count, standard_deviation } }],
    v_timeseries_data: [1, 2, 4, null].map((value) => ({ id: 's', value })),
  },
})

const stamped = (last_updated_at: unknown, other = last_updated_at): Handmade =>
  quantities({ id: 'q1', last_updated_at }, { id: 'q2', last_updated_at: other })
const at = (text: string): Handmade => stamped(`2025-03-01T08:12:00${text}`)

/** Numbers in the answer as they are written. */
const written = (number: string): Handmade => ({
  ...results({ timeseries_offset_ms: 42.5 }, { timeseries_offset_ms: 777 }),
  write: (text) => text.replace('777', number).replace('42.5', number.includes('e') ? '4.25e1' : '42.5'),
})

const oneRun = { rows: { v_bioprocesses: [{ id: 'b', name: 'Run', parent_id: null }] } }
const reading = /^SELECT [\w, *]+ FROM v_bioprocesses/
const shaped = (data: unknown[], more: object = {}): Handmade => ({
  ...oneRun,
  answer: ({ sql }) => (reading.test(sql) ? rowsReply(data, more) : undefined),
})

const joined = (row: string): Handmade => ({
  answer: ({ sql }) =>
    sql.includes('JOIN')
      ? respond(200, `{"data": [${row}], "status": {"state": "success", "message": "done"}}`)
      : undefined,
})

const archive = { rows: { v_archived_records: [{ record_id: 'r', table_name: 'formulas' }] } }
const capitals = (key: string): Handmade => ({
  rows: { ...oneRun.rows, ...archive.rows },
  answer: ({ sql }) => (sql.startsWith('SELECT RECORD_ID') ? rowsReply([{ [key]: 'r' }]) : undefined),
})

/** Answers those statements or bodies that match. */
const on = (pattern: RegExp, answer: () => Response, rest: Handmade = {}): Handmade => ({
  ...rest,
  answer: ({ sql, body, url }) =>
    pattern.test(sql) || pattern.test(body) || pattern.test(url) ? answer() : undefined,
})
const failing = (pattern: RegExp, message: string): Handmade => on(pattern, () => refuse(200, message))
const unknown = (write: (view: string) => string): Handmade => ({
  answer: ({ sql }) => {
    const [view] = /v_no_such_view_\w+/.exec(sql) ?? []
    return view === undefined ? undefined : refuse(200, write(view))
  },
})

const BAD_JSON = /^\{'/
const many = (count: number): Row[] => Array.from({ length: count }, (_, index) => ({ id: `p${index}` }))
const LONG = /LIMIT 1001$/
const long = (answer: () => Response): Handmade =>
  on(LONG, answer, { rows: { v_timeseries_data: many(1001) } })

const LIBERTIES = /v_archived_records/
const rejecting = (pattern: RegExp, answer = () => refuse(200)): Handmade => on(pattern, answer, archive)
const WRITES = /^(UPDATE|DELETE|INSERT|WITH gone)/

const two = (...ids: string[]): Handmade => ({
  rows: { v_quantities: [{ id: 'q' }], v_formulas: [{ id: 'f' }] },
  answer: ({ sql }) => (/LIMIT 1; SELECT/.test(sql) ? rowsReply(ids.map((id) => ({ id }))) : undefined),
})

/** A run whose nullable columns all hold the same. */
const nullable = (value: unknown): Row =>
  Object.fromEntries(
    view('v_bioprocesses').columns.flatMap((column) => (column.nullable ? [[column.name, value]] : [])),
  )

/** What the checks found out before, without waiting for it. */
const seeded = (key: string, value: (reply: Response) => Promise<unknown>, reply: Response): Handmade => ({
  before: (t) => t.once(key, () => value(reply)),
})
async function read(response: Response): Promise<Reply> {
  const text = await response.text()
  return readReply({
    request: { method: 'POST', url: '', headers: {}, body: '' },
    response: { status: response.status, headers: response.headers, text, bytes: text.length },
    durationMs: 0,
  })
}
const withoutToken = (name: string, response: Response): Handmade =>
  seeded('replies without a token', async (reply) => [[name, await read(reply)]], response)
const ended = (durationMs: number, response?: Response): Handmade => ({
  before: async (t) => {
    const exchange = response ? (await read(response)).exchange : { request: {}, failure: 'closed' }
    await t.once('overrun', async () => ({ long: { ...exchange, durationMs } }))
  },
})
const body504 = (body: unknown, type = 'application/json'): Handmade =>
  ended(30_000, respond(504, body, { 'content-type': type }))

const asking = (t: Target): Promise<unknown> => t.query('SELECT id FROM v_formulas LIMIT 1')
/** One statement is refused for the sake of the rate. */
const limited = (status: number, headers: Record<string, string> = {}): Handmade => {
  let asked = 0
  return {
    answer: () => (asked++ === 0 ? respond(status, {}, headers) : undefined),
    before: async (t) => [await asking(t), await asking(t)],
  }
}
const hidden = (answer: () => Response): Handmade => on(/SELECT \* FROM v_experiments/, answer)

/** Quantities an hour apart, and which of them a service counts as newer than a date. */
const zoned = (isNewer: (text: string, date: string) => boolean, print = utc): Handmade => {
  const rows = Array.from({ length: 41 }, (_, hour) => ({ id: `q${hour}`, last_updated_at: print(hour) }))
  return {
    rows: { v_quantities: rows },
    answer: ({ sql }) => {
      const [, date] = /FROM v_quantities WHERE last_updated_at > '([\d-]+)' LIMIT 900/.exec(sql) ?? []
      return date && rowsReply(rows.filter(({ last_updated_at: text }) => isNewer(text, date)))
    },
  }
}
const utc = (hour: number): string => new Date(Date.parse('2025-02-28T06:30:00Z') + hour * HOUR).toISOString()
const inIndia = (hour: number): string => `${utc(hour + 5.5).slice(0, 23)}+05:30`
const laterThan = (offset: string) => (text: string, date: string) =>
  Date.parse(text) > Date.parse(`${date}T00:00:00${offset}`)

const precise = (back: boolean): Handmade => ({
  ...stamped('2025-03-01T08:12:00.123Z'),
  answer: ({ sql }) => {
    if (!/> '2025-03-01T08:12:00.123Z'/.test(sql)) return undefined
    return rowsReply(back ? [{ id: 'q1', last_updated_at: '2025-03-01T08:12:00.123Z' }] : [])
  },
})

let reads = 0
const spelled = (pattern: RegExp): Handmade => ({
  answer: ({ sql }) => (sql.includes('1970') && !pattern.test(sql) ? refuse(200) : undefined),
})

/** A service for every registered way to fill a silence that can be told from outside. */
export const examples: Record<string, Examples> = {
  'NS-01': {
    string: runs({ qc: { status: 'ok', failure_mode: '' } }),
    'string-or-null': runs({ qc: { status: 'ok', failure_mode: null } }),
    enum: runs(...Array.from({ length: 12 }, () => ({ qc: { status: 'pass', failure_mode: 'none' } }))),
    boolean: runs({ qc: { status: true, failure_mode: null } }),
    object: runs({ qc: { status: { code: 1 }, failure_mode: { code: 2 } } }),
  },
  'NS-02': {
    null: runs({ induction_event: null }),
    timestamped: runs({
      induction_event: { event_id: 'e', timestamp: RUN, reagent_name: null, od600: 12 },
    }),
    'event-record': runs({
      events: [{ addition_type: 'Induction', at: RUN }],
      induction_event: { at: RUN, addition_type: 'Induction' },
    }),
    'json-text': runs({ induction_event: '{"event_id": "e"}' }),
  },
  'NS-03': {
    url: runs({ attachments: ['https://files.example/1', '/files/2.pdf'] }),
    'id-name-url': runs({ attachments: [{ id: 1, name: 'a', url: 'b' }] }),
    'empty-object': runs({ attachments: [{}] }),
    'file-metadata': runs({
      attachments: [{ id: 1, name: 'a', mime_type: 'b', size_bytes: 2, uploaded_at: RUN }],
    }),
  },
  'NS-04': {
    null: runs({ lineage: null }),
    'parents-children': runs({ lineage: { parents: ['a'], children: [] } }),
    'ancestor-ids': runs({ lineage: { ancestor_ids: [] } }),
    'parents-generation': runs({ lineage: { parents: [], generation: 0 } }, { lineage: null }),
  },
  'NS-05': {
    null: scalars({ measurement_info: null }),
    'labels-list': scalars({ measurement_info: { labels: ['a'] } }),
    'labels-map': scalars({ measurement_info: { labels: { a: 'b' } } }, { measurement_info: null }),
  },
  'NS-06': {
    'float-integer-string-boolean': quantities({ data_type: 'float' }, { data_type: 'string' }),
    'number-text-categorical': quantities({ data_type: 'number' }, { data_type: 'text' }),
    'upper-case': quantities({ data_type: 'NUMERIC' }, { data_type: 'TEXT' }),
    'numeric-text-date': quantities({ data_type: 'numeric' }, { data_type: 'text' }),
  },
  'NS-07': {
    empty: quantities({ base_units: {} }),
    'exponent-map': quantities({ base_units: { kg: 1, m: -3 } }, { base_units: {} }),
    'unit-text': quantities({ base_units: { unit: 'g/L' } }),
  },
  'NS-08': {
    'value-unit': results(single({ value: 1, unit: 'g' })),
    value: results(single({ value: 1 })),
    'bare-number': results(single(4.2)),
    'value-unit-r2-n': results(
      single({ value: 1, unit: 'g' }),
      single({ value: 1, unit: '1/h', r2: 0.9, n: 5 }),
    ),
  },
  'NS-09': {
    draft: formulas('ready', 'draft'),
    error: formulas('ready', 'error'),
    calculating: formulas('ready', 'calculating'),
    archived: formulas('ready', 'archived'),
    'ready-draft-error-computing': formulas('ready', 'draft', 'error', 'computing'),
  },
  'NS-12': {
    object: shaped([{ id: 'b', name: 'Run' }]),
    array: shaped([['b', 'Run']]),
    'array-with-columns': shaped([['b']], { columns: ['id'] }),
    wrapped: shaped([{ row: { id: 'b' } }]),
    prefixed: shaped([{ 'v_bioprocesses.id': 'b' }]),
  },
  'NS-13': {
    last: joined('{"bioprocess_id": "b1", "last_updated_at": "x", "id": "b1"}'),
    first: joined('{"bioprocess_id": "b1", "last_updated_at": "x", "id": "s1"}'),
    suffix: joined('{"id": "s1", "bioprocess_id": "b1", "id_1": "b1"}'),
    'alias-prefix': joined('{"t_id": "s1", "bioprocess_id": "b1", "b_id": "b1"}'),
    array: joined('{"id": ["s1", "b1"], "bioprocess_id": "b1"}'),
    'repeated-keys': joined('{"id": "s", "last_updated_at": "x", "id": "b", "last_updated_at": "y"}'),
    error: on(/JOIN/, () => refuse(200)),
  },
  'NS-14': {
    'as-stored': capitals('RECORD_ID'),
    lower: capitals('record_id'),
    upper: shaped([{ ID: 'b', NAME: 'Run' }]),
    camel: shaped([{ id: 'b', externalId: 'x' }]),
  },
  'NS-15': {
    null: runs({ ...nullable(null), parent_id: '' }),
    omitted: runs({ parent_id: 'p' }),
    'empty-string': runs(nullable('')),
  },
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
  'NS-21': {
    none: {},
    '401-mid-run': { ...limited(401), before: asking },
    '403': hidden(() => refuse(403)),
    'permission-denied': hidden(() => refuse(200, 'permission denied for view v_experiments')),
    'view-hidden': hidden(() => refuse(200, 'relation "v_experiments" does not exist')),
  },
  'NS-22': {
    'type-timestamp': runs({ events: [{ type: 'DbRemovalEvent', timestamp: RUN }] }),
    'kind-time': runs({ events: [{ kind: 'DbRemovalEvent', time: RUN }] }),
    'typename-timestamp': runs({ events: [{ __typename: 'DbRemovalEvent', timestamp: RUN }] }),
    'event-type-time-ms': runs({ events: [{ event_type: 'DbRemovalEvent', time_ms: 1 }] }),
    'none-timestamp': runs({ events: [{ note: 'a', timestamp: RUN }] }),
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
  'NS-27': {
    'parser-text': failing(
      BAD_JSON,
      'Expecting property name enclosed in double quotes: line 1 column 2 (char 1)',
    ),
    'parse-error': failing(BAD_JSON, "JSON parse error - Expecting ',' delimiter: line 1 column 9 (char 8)"),
    'unexpected-token': failing(BAD_JSON, "Unexpected token ' in JSON at position 1"),
    'decode-error': failing(BAD_JSON, 'JSON decode error'),
    'invalid-json': failing(BAD_JSON, 'Invalid JSON'),
    'decode-error-parser-text': failing(BAD_JSON, 'JSON decode error: Unexpected token'),
  },
  'NS-28': {
    'decode-error': failing(/^SELEC /, 'JSON decode error'),
    'database-text': failing(/^SELEC /, 'syntax error at or near "SELEC"'),
    'database-text-line': failing(/^SELEC /, 'syntax error at or near "SELEC"\nLINE 1: SELEC id\n        ^'),
    generic: failing(/^SELEC /, 'Error executing statement'),
    'decode-error-database-text': failing(/^SELEC /, 'JSON decode error: syntax error at or near "SELEC"'),
  },
  'NS-29': {
    exact: unknown((view) => `relation "${view}" does not exist`),
    'error-prefix': unknown((view) => `ERROR: relation "${view}" does not exist`),
    'driver-prefix': unknown((view) => `(psycopg2.errors.UndefinedTable) relation "${view}" does not exist`),
    'line-suffix': unknown((view) => `relation "${view}" does not exist\nLINE 1: SELECT\n  ^`),
    'background-suffix': unknown(
      (view) => `relation "${view}" does not exist (Background on this error at: https://x.example)`,
    ),
    backslashes: unknown((view) => `relation \\"${view}\\" does not exist`),
    'schema-qualified': unknown((view) => `relation "public.${view}" does not exist`),
  },
  'NS-30': { 'all-other': failing(/no_such_column|1\/0/, 'Error executing statement') },
  'NS-31': {
    '401': withoutToken('no Authorization header', refuse(401)),
    '403': withoutToken('no Authorization header', refuse(403)),
    '400': withoutToken('no Authorization header', refuse(400)),
    '302-login': withoutToken('no Authorization header', respond(302, '', { location: '/login' })),
    '200-envelope': withoutToken('no Authorization header', refuse(200)),
  },
  'NS-32': {
    '401': withoutToken('a wrong token', refuse(401)),
    '403': withoutToken('a wrong token', refuse(403)),
    '200-envelope': withoutToken('a wrong token', refuse(200)),
  },
  'NS-34': {
    detail: withoutToken('a wrong token', respond(401, { detail: 'no' })),
    message: withoutToken('a wrong token', respond(401, { message: 'no' })),
    'error-object': withoutToken('a wrong token', respond(401, { error: { code: 1 } })),
    'problem-json': withoutToken(
      'a wrong token',
      respond(401, { title: 'no' }, { 'content-type': 'application/problem+json' }),
    ),
    html: withoutToken('a wrong token', respond(401, '<html></html>', { 'content-type': 'text/html' })),
    empty: withoutToken('a wrong token', respond(401, '')),
    envelope: withoutToken('a wrong token', refuse(401)),
  },
  'NS-35': {
    none: { before: asking },
    '429-retry-after': limited(429, { 'retry-after': '0' }),
    '429-ratelimit': limited(429, { ratelimit: '"a";r=0', 'retry-after': '0' }),
    '429-x-ratelimit': limited(429, { 'x-ratelimit-limit': '1' }),
    '403': limited(403),
  },
  'NS-36': {
    none: { rows: { v_timeseries_data: many(1001) } },
    'cut-1000': long(() => rowsReply(many(1000))),
    'error-1000': long(() => refuse(200)),
    '413-1000': long(() => refuse(413)),
    'truncated-1000': long(() => rowsReply(many(1000), { truncated: true })),
    'next-link-1000': long(() =>
      respond(
        200,
        { data: many(1000), status: { state: 'success', message: 'done' } },
        { 'content-type': 'application/json', link: '</next>; rel="next"' },
      ),
    ),
  },
  'NS-38': { none: quantities({ id: 'q' }), additive: quantities({ id: 'q', colour: 'red' }) },
  'NS-39': {
    html: body504('<html></html>', 'text/html'),
    message: body504({ message: 'Endpoint request timed out' }),
    envelope: ended(30_000, refuse(504)),
    'problem-json': body504({ title: 'timeout' }, 'application/problem+json'),
    empty: body504(''),
  },
  'NS-40': {
    hard: ended(30_100, refuse(504)),
    'second-early': ended(29_000, refuse(504)),
    'second-late': ended(31_000, refuse(504)),
    reset: ended(30_050),
  },
  'NS-41': {
    'micros-offset': at('.123450+00:00'),
    'micros-z': at('.123450Z'),
    'millis-z': at('.123Z'),
    'seconds-z': at('Z'),
    'nanos-z': at('.123450000Z'),
    trimmed: stamped('2025-03-01T08:12:00.12345+00:00', '2025-03-01T08:12:00+00:00'),
    'hour-offset': at('.123450+00'),
    'local-offset': stamped('2025-03-01T08:12:00.123450+00:00', '2025-06-01T08:12:00.123450+01:00'),
    'no-zone': at('.123450'),
    'space-separator': stamped('2025-03-01 08:12:00.123450+00:00'),
    'epoch-millis': stamped(1_740_816_720_000),
  },
  'NS-42': {
    number: written('777'),
    string: results({ timeseries_offset_ms: '777' }, { timeseries_offset_ms: 1 }),
    'decimal-point': written('777.0'),
    exponent: written('7.77e2'),
    'big-integer': written('9007199254740993'),
  },
  'NS-43': {
    'quoted-nan': results({ timeseries_offset_ms: 'NaN' }),
    'bare-nan': written('NaN'),
  },
  'NS-44': {
    number: scalars({ value: 5 }, { value: 'red' }),
    string: scalars({ value: '5' }, { value: '5.5' }),
    'decimal-string': scalars({ value: '5.0' }, { value: 'red' }),
    mixed: scalars({ value: '5' }, { value: 7 }),
  },
  'NS-45': { native: runs({ qc: {}, data: [] }), text: runs({ qc: '{}', data: '[]' }) },
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
  'NS-50': {
    success: { ...oneRun, message: 'success' },
    executed: { ...oneRun, message: 'Statement executed successfully.' },
    empty: { ...oneRun, message: '' },
    'row-count': { ...oneRun, message: '1 row' },
  },
  'NS-51': {
    'ran-no-results': { message: 'The statement ran successfully but returned no results.' },
    'no-results': { message: 'No results' },
  },
  'NS-52': {
    utc: zoned(laterThan('Z')),
    'session-zone': zoned(laterThan('+02:00')),
    // Two offsets in one column: no zone gives the same rows as a comparison of texts.
    'text-comparison': zoned(
      (text, date) => text > date,
      (hour) => (hour % 2 === 0 ? utc(hour) : inIndia(hour)),
    ),
  },
  'NS-53': { full: precise(false), 'printed-millis': precise(true) },
  'NS-54': {
    stable: quantities(...many(12)),
    random: on(/FROM v_quantities LIMIT 200/, () => {
      const start = ++reads
      return rowsReply([...many(12).slice(start), ...many(12).slice(0, start)])
    }),
  },
  'NS-55': {
    none: {},
    gzip: { headers: { 'content-encoding': 'gzip' } },
    cors: { headers: { 'access-control-allow-origin': '*' } },
    etag: { headers: { etag: '"1"' } },
    'no-store': { headers: { 'cache-control': 'private, no-store' } },
  },
  'NS-56': {
    all: {},
    'quoted-date': spelled(/> '1970-01-02' /),
    'iso-date-time': spelled(/T00:00:00Z/),
    'space-date-time': spelled(/> '1970-01-02 00:00:00'/),
    'date-keyword': spelled(/> DATE '/),
    'timestamp-keyword': spelled(/> TIMESTAMP '/),
  },
  'NS-57': { run: lasting(22 * HOUR), record: lasting(24 * HOUR), other: lasting(23 * HOUR) },
  'NS-58': { sample: points(3, Math.sqrt(7 / 3)), population: points(3, Math.sqrt(14 / 9)) },
  'NS-59': { 'non-null': points(3, 1), all: points(4, 1) },
  'NS-60': {
    'base-table': { rows: { v_archived_records: [{ table_name: 'timeseries' }] } },
    view: { rows: { v_archived_records: [{ table_name: 'v_timeseries' }] } },
  },
  'NS-61': {
    'series-start': series(0, HOUR),
    'run-start': series(HOUR, HOUR),
    epoch: series(EPOCH!, EPOCH!),
  },
  'NS-63': { accepted: archive, error: rejecting(/;$/) },
  'NS-64': { accepted: archive, refused: rejecting(/archived_at >/) },
  'NS-65': {
    present: { rows: { v_timeseries_data: [{ id: 's', last_updated_at: RUN }] } },
    absent: { rows: { v_timeseries_data: [{ id: 's' }] } },
  },
  'NS-66': { filled: results(single({ value: 1 })), null: results(single({ value: 1 }, null)) },
}

/** Registered ways that look like another one from outside, or would have to be provoked. */
export const cannotBeTold: Record<string, string> = {
  'NS-18 all-last-result': 'looks like last: a read leaves no trace',
  'NS-21 rows-filtered': 'looks like none: what was left out is not known',
  'NS-29 63-bytes': 'would take a longer name',
  'NS-30 non-sql-only': 'looks like never: failures outside of the database can not be brought about',
  'NS-30 never': 'looks like non-sql-only',
  'NS-35 503': 'looks like load',
  'NS-38 new-version': 'is on another path',
  'NS-40 runs-on': 'looks like hard: what runs on behind the answer is not seen',
  'NS-43 null': 'looks like any other null',
  'NS-43 error': 'looks like any other failure',
}

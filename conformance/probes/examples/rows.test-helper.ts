import { view } from '../../../schemas/index.ts'
import { refuse, respond, rowsReply, type Handmade } from '../handmade.test-helper.ts'
import {
  archive,
  many,
  on,
  oneRun,
  quantities,
  results,
  runs,
  stamped,
  type Examples,
  type Row,
} from './services.test-helper.ts'

/** Numbers in the answer as they are written. */
const written = (number: string): Handmade => ({
  ...results({ timeseries_offset_ms: 42.5 }, { timeseries_offset_ms: 777 }),
  write: (text) => text.replace('777', number).replace('42.5', number.includes('e') ? '4.25e1' : '42.5'),
})

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

const capitals = (key: string): Handmade => ({
  rows: { ...oneRun.rows, ...archive.rows },
  answer: ({ sql }) => (sql.startsWith('SELECT RECORD_ID') ? rowsReply([{ [key]: 'r' }]) : undefined),
})

/** A run whose nullable columns all hold the same. */
const nullable = (value: unknown): Row =>
  Object.fromEntries(
    view('v_bioprocesses').columns.flatMap((column) => (column.nullable ? [[column.name, value]] : [])),
  )

let reads = 0

const at = (text: string): Handmade => stamped(`2025-03-01T08:12:00${text}`)

const LONG = /LIMIT 1001$/

const long = (answer: () => Response): Handmade =>
  on(LONG, answer, { rows: { v_timeseries_data: many(1001) } })

/** How rows and values are written. */
export const rows: Examples = {
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
  'NS-45': { native: runs({ qc: {}, data: [] }), text: runs({ qc: '{}', data: '[]' }) },
  'NS-54': {
    stable: quantities(...many(12)),
    random: on(/FROM v_quantities LIMIT 200/, () => {
      const start = ++reads
      return rowsReply([...many(12).slice(start), ...many(12).slice(0, start)])
    }),
  },
}

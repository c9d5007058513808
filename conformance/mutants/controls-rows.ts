import { views } from '../../schemas/index.ts'
import type { Control } from './control.ts'
import { onEnvelope, onObjects, onRows, without, type Mutant } from './mutant.ts'

type Row = Record<string, unknown>

const onData = (rewrite: (rows: Row[]) => unknown[]): Mutant['wrap'] =>
  onEnvelope((envelope) => ({ ...envelope, data: rewrite(envelope.data) }))

const selectsAll = /^\s*select\s+\*/i

const timestamps = new Set(
  views.flatMap(({ columns }) =>
    columns.filter(({ format }) => format !== undefined).map(({ name }) => name),
  ),
)
const mapTexts = (row: Row, wanted: (key: string) => boolean, rewrite: (text: string) => string): Row =>
  Object.fromEntries(
    Object.entries(row).map(([key, value]) => [
      key,
      wanted(key) && typeof value === 'string' ? rewrite(value) : value,
    ]),
  )
const onTimestamps = (rewrite: (text: string) => string) =>
  onRows((row) => mapTexts(row, (key) => timestamps.has(key), rewrite))

const onEvents = (rewrite: (event: Row) => Row) =>
  onRows((row) =>
    Array.isArray(row['events']) ? { ...row, events: (row['events'] as Row[]).map(rewrite) } : row,
  )

const namesKind = (value: unknown): boolean => /^Db\w+Event$/.test(String(value))

/** 2025-03-01T08:12:00.123456+00:00 -> the same instant two hours east of Greenwich. */
function eastwards(text: string): string {
  const match = /^(.{19})(\.\d+)?(?:\+00:00|Z)$/.exec(text)
  if (!match) return text
  const there = new Date(Date.parse(`${match[1]}Z`) + 2 * 3_600_000).toISOString().slice(0, 19)
  return `${there}${match[2] ?? ''}+02:00`
}

const shuffled = <T>(items: readonly T[]): T[] =>
  items
    .map((item) => ({ item, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item)

/** Writes whole numbers otherwise: 5 as 5.0, or as 0.5e1. */
const onNumbers = (write: (digits: string) => string): Mutant['wrap'] =>
  onEnvelope((envelope) =>
    JSON.stringify(envelope).replaceAll(
      /("(?:[^"\\]|\\.)*")|(?<=[:[,])(\d+)(?=[,\]}])/g,
      (all, text?: string) => (text === undefined ? write(all) : all),
    ),
  )

/** Freedoms in how rows are written and in what undocumented values hold. */
export const rowControls: Control[] = [
  {
    id: 'rows-as-arrays',
    silence: 'NS-12',
    freedom: 'A row is an array.',
    wrap: onData((rows) => rows.map(Object.values)),
  },
  {
    id: 'rows-with-columns',
    silence: 'NS-12',
    freedom: 'A row is an array, and the columns are listed beside the rows.',
    wrap: onEnvelope((envelope) => ({
      ...envelope,
      columns: Object.keys(envelope.data[0] ?? {}).map((name) => ({ name })),
      data: envelope.data.map(Object.values),
    })),
  },
  {
    id: 'rows-wrapped',
    silence: 'NS-12',
    freedom: 'A row is inside another object.',
    wrap: onData((rows) => rows.map((row) => ({ row }))),
  },
  {
    id: 'rows-shuffled',
    silence: 'NS-54',
    freedom: 'Rows come in another order every time.',
    wrap: onEnvelope((envelope, { statement = '' }) =>
      /\border\s+by\b/i.test(statement) ? envelope : { ...envelope, data: shuffled(envelope.data) },
    ),
  },
  {
    id: 'keys-reversed',
    freedom: 'The columns of a row come in reverse order.',
    wrap: onRows((row) => Object.fromEntries(Object.entries(row).toReversed())),
  },
  {
    id: 'further-columns',
    silence: 'NS-38',
    freedom: 'SELECT * shows further columns.',
    wrap: onRows((row, { statement = '' }) =>
      selectsAll.test(statement) ? { ...row, tenant: 'a', row_version: 7 } : row,
    ),
  },
  {
    id: 'nulls-omitted',
    silence: 'NS-15',
    freedom: 'A column without a value is left out of its row.',
    wrap: onRows((row) => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null))),
  },
  {
    id: 'timestamps-utc',
    silence: 'NS-41',
    freedom: 'Timestamps end in Z.',
    wrap: onTimestamps((text) => text.replace(/\+00:00$/, 'Z')),
  },
  {
    id: 'timestamps-millis',
    silence: 'NS-53',
    freedom: 'Timestamps are printed to the millisecond and compared to the microsecond.',
    wrap: onTimestamps((text) => text.replace(/(\.\d{3})\d+/, '$1')),
  },
  {
    id: 'timestamps-nanos',
    silence: 'NS-41',
    freedom: 'Timestamps have nine digits behind the second.',
    wrap: onTimestamps((text) => text.replace(/(\.\d{6})(?!\d)/, '$1000')),
  },
  {
    id: 'timestamps-local',
    silence: 'NS-41',
    freedom: 'Timestamps are in the zone of the plant.',
    wrap: onTimestamps(eastwards),
  },
  {
    id: 'numbers-with-point',
    silence: 'NS-42',
    freedom: 'Whole numbers read 5.0.',
    wrap: onNumbers((digits) => `${digits}.0`),
  },
  {
    id: 'numbers-with-exponent',
    silence: 'NS-42',
    freedom: 'Whole numbers read 5e0.',
    wrap: onNumbers((digits) => `${digits}e0`),
  },
  {
    id: 'scalars-as-texts',
    silence: 'NS-44',
    freedom: 'Scalar values are texts.',
    wrap: onRows((row) => ('measurement_info' in row ? { ...row, value: String(row['value']) } : row)),
  },
  {
    id: 'other-event-kinds',
    silence: 'NS-22',
    freedom: 'Events are of kinds of the vendor.',
    wrap: onEvents((event) => ({ __type: 'DbCalibrationEvent', at: 5, probe: Object.keys(event).length })),
  },
  {
    id: 'events-unnamed',
    silence: 'NS-22',
    freedom: 'Events have the documented keys and name no kind.',
    wrap: onEvents((event) =>
      Object.fromEntries(Object.entries(event).filter(([, value]) => !namesKind(value))),
    ),
  },
  {
    id: 'qc-of-objects',
    silence: 'NS-01',
    freedom: 'The values in qc are objects.',
    wrap: onObjects('qc', (qc) => ({ status: { code: 1 }, failure_mode: [], by: qc['status'] })),
  },
  {
    id: 'statistics-deviation',
    silence: 'NS-58',
    freedom: 'The standard deviation of a series is that of a population.',
    wrap: onObjects('statistics', (statistics) => {
      const { count, standard_deviation: deviation } = statistics
      if (typeof count !== 'number' || typeof deviation !== 'number' || count < 2) return statistics
      return { ...statistics, standard_deviation: deviation * Math.sqrt((count - 1) / count) }
    }),
  },
  {
    id: 'statistics-further-keys',
    freedom: 'Statistics have further keys.',
    wrap: onObjects('statistics', (statistics) => ({ ...statistics, median: null, unit: 'g/L' })),
  },
  {
    id: 'points-without-update',
    silence: 'NS-65',
    freedom: 'v_timeseries_data has no last_updated_at.',
    wrap: onRows((row, { statement = '' }) =>
      /\bfrom\s+v_timeseries_data\b/i.test(statement) ? without(row, 'last_updated_at') : row,
    ),
  },
  {
    id: 'formula-states',
    silence: 'NS-09',
    freedom: 'Formulas have other states than ready.',
    wrap: onRows((row) => ('state' in row ? { ...row, state: 'COMPUTING' } : row)),
  },
]

import { onRows, without, type Mutant } from '../mutant.ts'

type Row = Record<string, unknown>

/** Rewrites one column wherever rows carry it as the given kind of value. */
const onColumn = <T>(column: string, rewrite: (value: T) => unknown) =>
  onRows((row) =>
    column in row && row[column] !== null ? { ...row, [column]: rewrite(row[column] as T) } : row,
  )

const onEvents = (rewrite: (event: Row) => unknown) =>
  onColumn<Row[]>('events', (events) => events.map(rewrite))

export const bioprocessMutants: Mutant[] = [
  {
    id: 'status-other',
    breaks: 'REQ-VIEW-ENUM-1',
    defect: 'status reads Running where it should read In-progress.',
    wrap: onColumn<string>('status', (status) => (status === 'In-progress' ? 'Running' : status)),
  },
  {
    id: 'bioprocess-data-filled',
    breaks: 'REQ-VIEW-DATA-EMPTY',
    defect: 'v_bioprocesses.data holds values again.',
    wrap: onRows((row) => ('qc' in row && 'data' in row ? { ...row, data: [{ value: 1 }] } : row)),
  },
  ...(['status', 'failure_mode'] as const).map((key): Mutant => ({
    id: `qc-without-${key.replace('_', '-')}`,
    breaks: 'REQ-VIEW-QC',
    defect: `qc has no key ${key}.`,
    wrap: onColumn<Row>('qc', (qc) => without(qc, key)),
  })),
  {
    id: 'event-without-its-key',
    breaks: 'REQ-VIEW-EVENTS',
    defect: 'Addition events do not say what was added: addition_type is missing.',
    wrap: onEvents((event) => without(event, 'addition_type')),
  },
  {
    id: 'event-volume-number',
    breaks: 'REQ-VIEW-EVENTS',
    defect: 'The volume of an event is a bare number.',
    wrap: onEvents((event) => ('volume' in event ? { ...event, volume: 5 } : event)),
  },
  {
    id: 'event-not-a-record',
    breaks: 'REQ-VIEW-EVENTS',
    defect: 'Events are texts.',
    wrap: onEvents((event) => JSON.stringify(event)),
  },
  {
    id: 'event-unnamed-without-key',
    breaks: 'REQ-VIEW-EVENTS:should',
    defect: 'Event records name no kind, and removals do not say how much was removed.',
    wrap: onEvents((event) => {
      const unnamed = Object.fromEntries(
        Object.entries(event).filter(([, value]) => !/^Db\w+Event$/.test(String(value))),
      )
      return 'removal_type' in unnamed ? without(unnamed, 'volume') : unnamed
    }),
  },
]

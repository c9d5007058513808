import { views } from '../../../schemas/index.ts'
import { onEnvelope, onRows, type Mutant } from '../mutant.ts'

const columns = new Set(
  views.flatMap((view) => view.columns.filter(({ format }) => format !== undefined).map(({ name }) => name)),
)

type Row = Record<string, unknown>

/** The row with another text in every timestamp column. */
const rewritten = (row: Row, rewrite: (text: string) => string): Row =>
  Object.fromEntries(
    Object.entries(row).map(([key, value]) => [
      key,
      columns.has(key) && typeof value === 'string' ? rewrite(value) : value,
    ]),
  )

/** Rewrites the text of every timestamp column of every row. */
const onTimestamps = (rewrite: (text: string) => string) => onRows((row) => rewritten(row, rewrite))

export const timestampMutants: Mutant[] = [
  {
    id: 'timestamps-local-style',
    breaks: 'REQ-VIEW-TS-1',
    defect: 'Timestamps read 03/01/2025 08:12.',
    wrap: onTimestamps((text) => text.replace(/^(\d+)-(\d+)-(\d+)T(\d+:\d+).*/, '$2/$3/$1 $4')),
  },
  {
    id: 'timestamps-epoch-text',
    breaks: 'REQ-VIEW-TS-1',
    defect: 'Timestamps are epoch seconds in a text.',
    wrap: onTimestamps((text) => String(Math.floor(Date.parse(text) / 1000))),
  },
  {
    id: 'timestamps-late-http-dates',
    breaks: 'REQ-VIEW-TS-1',
    defect: 'From the 1001st row of an answer on, timestamps are HTTP dates.',
    wrap: onEnvelope(({ data, status }) => ({
      status,
      data: data.map((row, index) =>
        index < 1000 ? row : rewritten(row, (text) => new Date(text).toUTCString()),
      ),
    })),
  },
  {
    id: 'timestamps-space',
    breaks: 'REQ-VIEW-TS-1',
    defect: 'Timestamps read 2025-03-01 08:12:00.000000 +00:00.',
    wrap: onTimestamps((text) => text.replace('T', ' ').replace(/([+-]\d\d:\d\d)$/, ' $1')),
  },
  {
    id: 'timestamps-zoneless',
    breaks: 'REQ-VIEW-TS-2',
    defect: 'No timestamp says which zone it is in.',
    wrap: onTimestamps((text) => text.replace(/(Z|[+-]\d\d:?\d\d)$/, '')),
  },
]

import { view } from '../../../schemas/index.ts'
import type { Control } from './control.ts'
import { capped } from '../caps.ts'
import { live } from '../live.ts'
import { onEnvelope, onObjects, onRows, onStatement, reply, wrapper } from '../mutant.ts'

type Row = Record<string, unknown>

let turn = 0
/** The rows from another one on each time. */
const rotated = (data: readonly Row[]): Row[] => {
  const start = data.length === 0 ? 0 : (turn += 7) % data.length
  return [...data.slice(start), ...data.slice(0, start)]
}

/** The duration of a bioprocess that is running ends at the time of the request. */
const durationsUntilNow = onStatement((sql) => {
  if (!/^\s*select\b.*\bv_bioprocesses\b/is.test(sql)) return sql
  const until = `CASE WHEN status = 'In-progress' THEN ${Math.round(performance.now())} ELSE duration_ms END AS duration_ms`
  const columns = view('v_bioprocesses').columns.filter(({ optional }) => !optional)
  const shown = columns.map(({ name }) => (name === 'duration_ms' ? until : name))
  return `WITH v_bioprocesses AS (SELECT ${shown.join(', ')} FROM v_bioprocesses) ${sql}`
})

/** Controls with other rows. */
export const rows: Control[] = [
  {
    id: 'keys-reversed',
    does: 'Rows have their columns in reverse order.',
    wrap: onRows((row) => Object.fromEntries(Object.entries(row).toReversed())),
  },
  {
    id: 'other-event-kinds',
    does: 'Events have a type that only the vendor knows.',
    wrap: onRows((row) => {
      if (!Array.isArray(row['events'])) return row
      const events = (row['events'] as Row[]).map((event) => ({
        __type: 'DbCalibrationEvent',
        at: 5,
        probe: Object.keys(event).length,
      }))
      return { ...row, events }
    }),
  },
  {
    id: 'points-without-update',
    does: 'The last_updated_at of a point is null: the table of the view does not list the column.',
    wrap: onRows((row, { statement = '' }) =>
      /\bv_timeseries_data\b/i.test(statement) && !/\bjoin\b/i.test(statement) && 'last_updated_at' in row
        ? { ...row, last_updated_at: null }
        : row,
    ),
  },
  {
    id: 'statistics-further-keys',
    does: 'Statistics have additional members.',
    wrap: onObjects('statistics', (statistics) => ({ ...statistics, median: null, unit: 'g/L' })),
  },
  {
    id: 'rows-capped',
    does: 'No response has more than 100 rows.',
    wrap: onEnvelope((envelope) => ({ ...envelope, data: envelope.data.slice(0, 100) })),
  },
  {
    id: 'wide-rows-capped',
    does: 'Responses whose first row has more than 400 characters have at most 25 rows.',
    hides: true,
    wrap: onEnvelope(({ data, status }) => ({
      data: JSON.stringify(data[0] ?? null).length > 400 ? data.slice(0, 25) : data,
      status,
    })),
  },
  ...Object.entries<[does: string, shape: (row: Row) => unknown]>({
    'rows-as-pairs': ['A row is a list of pairs.', (row) => Object.entries(row)],
    'rows-with-attributes': [
      'A row has an id of its own and the columns in a member.',
      (row) => ({ id: 'row', attributes: row }),
    ],
    'rows-as-cells': [
      'A row is a list of cells with name and value.',
      (row) => ({ cells: Object.entries(row).map(([name, value]) => ({ name, value })) }),
    ],
  }).map(([id, [does, shape]]): Control => ({
    id,
    does,
    hides: true,
    wrap: onEnvelope(({ data, status }) => ({ data: data.map(shape), status })),
  })),
  {
    id: 'joins-capped',
    does: 'Joins return at most 4 rows.',
    hides: true,
    wrap: onEnvelope((envelope, { statement = '' }) =>
      /\bjoin\b/i.test(statement) ? { ...envelope, data: envelope.data.slice(0, 4) } : envelope,
    ),
  },
  {
    id: 'deltas-capped',
    does: 'Statements with WHERE return at most 3 rows.',
    hides: true,
    wrap: onEnvelope((envelope, { statement = '' }) =>
      /\bwhere\b/i.test(statement) ? { ...envelope, data: envelope.data.slice(0, 3) } : envelope,
    ),
  },
  {
    id: 'after-the-end-of-a-date',
    does: 'A bound without a time of day means the end of the day.',
    wrap: onStatement((sql) =>
      sql.replace(/(last_updated_at\s*)>(\s*)'(\d{4}-\d\d-\d\d)'/gi, (_, column, space, date) => {
        const next = new Date(Date.parse(date) + 86_400_000).toISOString().slice(0, 10)
        return `${column}>=${space}'${next}'`
      }),
    ),
  },
  {
    id: 'writers',
    does: 'Rows appear and change between statements.',
    changes: true,
    wrap: live({ seed: 1 }),
  },
  {
    id: 'writers-and-deletions',
    does: 'Rows appear, change and vanish between statements.',
    changes: true,
    wrap: live({ seed: 2, vanish: true }),
  },
  {
    id: 'copy-behind',
    does: 'Every second statement reads a copy of the data that is behind.',
    changes: true,
    wrap: live({ seed: 4, behind: 30 }),
  },
  {
    id: 'answers-kept',
    does: 'The answer to a statement is kept for 30 s, while rows change.',
    changes: true,
    wrap: (fetch) => keptFor(30_000)(live({ seed: 5, behind: 0 })(fetch)),
  },
  {
    id: 'durations-until-now',
    does: 'The duration of a bioprocess that is running ends at the time of the request.',
    changes: true,
    wrap: durationsUntilNow,
  },
  {
    id: 'durations-kept',
    does: 'The same, and the answer to a statement is kept for 20 s.',
    changes: true,
    wrap: (fetch) => keptFor(20_000)(durationsUntilNow(fetch)),
  },
  {
    id: 'newest-first',
    does: 'Rows come in the order of an index on last_updated_at, the newest first.',
    wrap: capped({ order: 'newest' }),
  },
  {
    id: 'oldest-first',
    does: 'Rows come in the order of an index on last_updated_at, the oldest first.',
    wrap: capped({ order: 'oldest' }),
  },
  {
    id: 'rows-in-any-order',
    does: 'The rows of every response come in another order.',
    wrap: onEnvelope((envelope, { statement = '' }) =>
      /order\s+by/i.test(statement) ? envelope : { ...envelope, data: rotated(envelope.data) },
    ),
  },
  {
    id: 'keys-sorted',
    does: 'The keys of a row are in alphabetical order.',
    wrap: onRows((row) => Object.fromEntries(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1)))),
  },
  {
    id: 'limit-picks-any-rows',
    does: 'LIMIT without ORDER BY returns other rows each time.',
    wrap: wrapper(async (call, next) => {
      const picked = /^(select [^()]* from (?!v_timeseries_data)\w+) limit (\d+)$/i.exec(call.statement ?? '')
      if (!picked) return next(call)
      const response = await next({ ...call, statement: picked[1] })
      const envelope = (await response.clone().json()) as { data?: Row[]; status?: { state?: string } }
      if (envelope.status?.state !== 'success') return response
      return reply({ ...envelope, data: rotated(envelope.data!).slice(0, Number(picked[2])) })
    }),
  },
  {
    id: 'joined-rows-nested',
    does: 'The columns of a join that names them are nested by their alias.',
    wrap: onEnvelope((envelope, { statement = '' }) => {
      const list = /^select (.+?) from .+ left join /i.exec(statement)?.[1] ?? ''
      const items = [...list.matchAll(/(\w+)\.(\w+)/g)].map(([, alias, name]) => [alias!, name!] as const)
      if (items.length === 0) return envelope
      const nested = (row: Row) => {
        const sides: Record<string, Row> = {}
        for (const [alias, name] of items) (sides[alias] ??= {})[name] = row[name.toLowerCase()]
        return sides
      }
      return { ...envelope, data: envelope.data.map(nested) }
    }),
  },
]

/** Keeps the answer to a request for a time in milliseconds. */
function keptFor(ms: number): Control['wrap'] {
  const kept = new Map<string, { until: number; response: Promise<Response> }>()
  return wrapper(async (call, next) => {
    const key = JSON.stringify([call.init.headers, call.body])
    const known = kept.get(key)
    const entry =
      known && known.until > performance.now()
        ? known
        : { until: performance.now() + ms, response: next(call) }
    kept.set(key, entry)
    return (await entry.response).clone()
  })
}

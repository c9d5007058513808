import { type Mutant, reply, wrapper } from '../mutant.ts'
import {
  all,
  envelopeOf,
  filtered,
  from,
  isTime,
  joined,
  limited,
  named,
  not,
  onCells,
  onResult,
  onSql,
  onText,
  onValues,
  refuse,
  remembering,
  type Row,
  sqlOf,
  subquery,
  viewOf,
  type Where,
} from './helpers.ts'

/** The text between SELECT and the first FROM. */
const listOf = (sql: string): string => /^\s*select\b([\s\S]*?)\bfrom\b/i.exec(sql)?.[1] ?? ''
const selects =
  (column: string): Where =>
  (call) =>
    new RegExp(`\\b${column}\\b`, 'i').test(listOf(sqlOf(call)))
const bearer = (headers: RequestInit['headers']) => new Headers(headers).get('authorization')

/** Defects that need two conditions at once, such as a form of statement on one view. */
export const combinationMutants: readonly Mutant[] = [
  {
    id: 'blind-join-where-in-condition',
    breaks: 'REQ-JOIN-1',
    defect: 'WHERE of a LEFT JOIN is moved into its ON condition, so no row of the left view is filtered.',
    wrap: onSql(/\bwhere\b/i, 'AND', all(joined, filtered, not(subquery))),
  },
  {
    id: 'blind-join-left-column-from-right',
    breaks: 'REQ-JOIN-1',
    defect:
      'Of a column that both views have, a join returns the value of the right view if only the left is named.',
    wrap: wrapper((call, next) => {
      const list = listOf(sqlOf(call))
      const changed = list.replace(
        /\b[lt]\.(start_timestamp|end_timestamp|duration_ms)\b/g,
        (whole, column) => {
          const other = whole.startsWith('l') ? 'r' : 'b'
          return new RegExp(`\\b${other}\\.${column}\\b`).test(list) ? whole : `${other}.${column}`
        },
      )
      const isPair = /v_timeseries\b.*v_bioprocesses|v_bioprocesses\b.*v_timeseries\b/s.test(sqlOf(call))
      return next(
        joined(call) && isPair ? { ...call, statement: sqlOf(call).replace(list, () => changed) } : call,
      )
    }),
  },
  {
    id: 'blind-join-booleans-as-numbers',
    breaks: 'REQ-VIEW-TYPES',
    defect: 'In rows of a join, booleans are 0 and 1.',
    wrap: onValues((value) => (typeof value === 'boolean' ? Number(value) : value), joined),
  },
  {
    id: 'blind-maximum-of-experiments',
    breaks: 'REQ-DELTA-7',
    defect: 'In a scalar subquery, MAX over v_experiments reads v_bioprocesses.',
    wrap: onSql(
      /(\(\s*select\s+max\s*\(\s*last_updated_at\s*\)\s*from\s+)v_experiments\b/i,
      '$1v_bioprocesses',
    ),
  },
  {
    id: 'blind-delta-old-version',
    breaks: 'REQ-DELTA-6',
    defect:
      'A delta without LIMIT of v_bioprocess_quantity_data also returns an old version of a row under another id.',
    wrap: onResult(
      (rows) => {
        const [current] = rows
        if (!current || !('id' in current)) return rows
        const old: Row = { ...current, id: `${String(current['id']).slice(0, -1)}g` }
        return [...rows, old]
      },
      all(from('v_bioprocess_quantity_data'), filtered, not(joined), not(limited)),
    ),
  },
  {
    id: 'blind-archived-columns-shifted',
    breaks: 'REQ-SQL-2',
    defect: 'Without table_name, each archived_at of v_archived_records is that of the next row.',
    wrap: onCells(
      'v_archived_records',
      'archived_at',
      (value, { index, rows }) => rows[(index + 1) % rows.length]?.['archived_at'] ?? value,
      all(named, selects('record_id'), not(selects('table_name'))),
    ),
  },
  {
    id: 'blind-points-in-single-precision',
    breaks: 'REQ-SQL-2',
    defect: 'Values of points are rounded to 32 bits unless data_item_id is selected.',
    wrap: onCells(
      'v_timeseries_data',
      'value',
      (value) => (typeof value === 'number' ? Math.fround(value) : value),
      all(named, not(selects('data_item_id'))),
    ),
  },
  {
    id: 'blind-second-page-http-dates',
    breaks: 'REQ-VIEW-TS-1',
    defect: 'From the 1001st point of a response on, timestamps are HTTP dates.',
    wrap: onCells('v_timeseries_data', 'timestamp', (value, { index }) =>
      index >= 1000 && isTime(value) ? new Date(value).toUTCString() : value,
    ),
  },
  {
    id: 'blind-long-response-as-two-objects',
    breaks: 'REQ-HTTP-4',
    defect: 'More than 2000 rows are sent as two JSON objects, one after the other.',
    wrap: onText(
      (_, { data, status }) =>
        [data.slice(0, 2000), data.slice(2000)]
          .map((part) => JSON.stringify({ data: part, status }))
          .join('\n'),
      ({ data, status }) => status.state === 'success' && data.length > 2000,
    ),
  },
  {
    id: 'blind-parallel-requests-share-answers',
    breaks: 'REQ-SQL-3',
    defect: 'Parallel statements that differ in their numbers only get the answer to the first of them.',
    wrap: remembering(
      () => new Map<string, Promise<Response>>(),
      async (running, call, next) => {
        const key = `${bearer(call.init.headers)} ${sqlOf(call).replace(/\d+/g, '?')}`
        const first = running.get(key)
        if (call.statement !== undefined && first) return (await first).clone()
        const own = next(call)
        running.set(key, own)
        try {
          return (await own).clone()
        } finally {
          running.delete(key)
        }
      },
    ),
  },
  {
    id: 'blind-cached-join-without-token',
    breaks: 'REQ-AUTH-2',
    defect: 'A cache in front of the service answers joins without a token.',
    wrap: remembering(
      () => new Map<string, string>(),
      async (cache, call, next) => {
        if (!joined(call)) return next(call)
        const kept = cache.get(sqlOf(call))
        if (kept !== undefined && bearer(call.init.headers) === null) return reply(JSON.parse(kept))
        const response = await next(call)
        if ((await envelopeOf(response))?.status.state === 'success')
          cache.set(sqlOf(call), await response.clone().text())
        return response
      },
    ),
  },
  {
    id: 'blind-archived-without-token',
    breaks: 'REQ-AUTH-2',
    defect: 'v_archived_records is served without checking the token.',
    wrap: remembering(
      () => ({ valid: '' }),
      async (state, call, next) => {
        const given = bearer(call.init.headers)
        const headers = { ...Object.fromEntries(new Headers(call.init.headers)), authorization: state.valid }
        const open = state.valid !== '' && viewOf(call) === 'v_archived_records'
        const response = await next(open ? { ...call, init: { ...call.init, headers } } : call)
        if (given !== null && !open && (await envelopeOf(response))?.status.state === 'success')
          state.valid = given
        return response
      },
    ),
  },
  {
    id: 'blind-limit-left-of-join',
    breaks: 'REQ-SQL-3',
    defect: 'LIMIT of a join applies to the rows of the left view, before they are joined.',
    wrap: onSql(
      /\bfrom\s+(v_\w+)(\s+(?:as\s+)?\w+)(\s+left\s+join\b[\s\S]*?)\s+limit\s+(\d+)\s*$/i,
      (_, view, alias, rest, limit) => `FROM (SELECT * FROM ${view} LIMIT ${limit})${alias}${rest}`,
      joined,
    ),
  },
  {
    id: 'blind-single-joined-row-bare',
    breaks: 'REQ-HTTP-4',
    defect: 'data of a join with a single row is that row and no array.',
    wrap: wrapper(async (call, next) => {
      const response = await next(call)
      const envelope = joined(call) ? await envelopeOf(response) : undefined
      return envelope?.data.length === 1 ? reply({ ...envelope, data: envelope.data[0] }) : response
    }),
  },
  {
    id: 'blind-join-missing-json-as-object',
    breaks: 'REQ-SQL-7',
    defect: 'JSON columns of a row without a partner are empty objects.',
    wrap: onValues(
      (value, key) => (key === 'statistics' || key === 'measurement_info' ? (value ?? {}) : value),
      joined,
    ),
  },
  {
    id: 'blind-similar-view-served',
    breaks: 'REQ-ERR-1',
    defect: 'A view whose name lacks the final s is corrected.',
    wrap: onSql(/\bv_bioprocess\b/gi, 'v_bioprocesses'),
  },
  {
    id: 'blind-leap-day-refused',
    breaks: 'REQ-SQL-4',
    defect: 'February 29 is no date.',
    wrap: refuse((call) => /'\d{4}-02-29/.test(sqlOf(call))),
  },
]

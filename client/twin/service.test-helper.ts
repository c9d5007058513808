import { contract, type ViewName } from '../../schemas/index.ts'

type Row = Record<string, unknown>

export type Answering = (statement: string, number: number) => Response | undefined

/** A quantity whose time of change is `n` seconds after the year begins. */
export const quantity = (n: number): Row => ({
  id: `q${n}`,
  name: `Quantity ${n}`,
  alternative_names: [],
  is_timeseries: true,
  data_type: 'numeric',
  default_unit: 'g/L',
  default_ingestion_unit: 'g/L',
  base_units: {},
  molar_mass: n,
  notes: null,
  last_updated_at: new Date(Date.UTC(2025, 0, 1) + n * 1000).toISOString(),
})

export const envelope = (data: unknown[], status = 200, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify({ data, status: { state: 'success', message: 'ok' } }), { status, headers })

export const status = (code: number, headers: Record<string, string> = {}): Response =>
  new Response('', { status: code, headers })

/**
 * A service over some rows, which answers oldest first and at most `cap` rows. It understands documented statements only.
 *
 * @param answer may answer a request instead; the number counts from 1
 */
export function serviceOf(
  tables: Partial<Record<ViewName, Row[]>>,
  cap = Infinity,
  answer: Answering = () => undefined,
) {
  const sent: string[] = []
  const answered = (statement: string): Response => {
    const [, list, view, since, limit] =
      /^SELECT (.+) FROM (\w+)(?: WHERE last_updated_at > '([^']+)')? LIMIT (\d+)$/.exec(statement) ?? []
    if (view === undefined || !contract.views.includes(view as ViewName))
      return new Response('{"data":[],"status":{"state":"error","message":"not documented"}}')
    const names = list!.split(', ')
    const rows = (tables[view as ViewName] ?? [])
      .filter((row) => since === undefined || Date.parse(String(row['last_updated_at'])) > Date.parse(since))
      .slice(0, Math.min(Number(limit), cap))
    return envelope(rows.map((row) => Object.fromEntries(names.map((name) => [name, row[name]]))))
  }
  const fetch = (async (_: unknown, init?: RequestInit) => {
    const { statement } = JSON.parse(String(init?.body)) as { statement: string }
    sent.push(statement)
    return answer(statement, sent.length) ?? answered(statement)
  }) as typeof globalThis.fetch
  return { baseUrl: 'https://vendor.example', token: 'secret', fetch, sent }
}

/** A point of a series; its time is `n` seconds after the year begins. */
export const point = (id: string, n: number, time = Date.UTC(2025, 0, 1) + n * 1000): Row => ({
  id,
  timestamp: new Date(time).toISOString(),
  value: n,
  data_item_id: null,
  last_updated_at: new Date(time).toISOString(),
})

export type Sort = (rows: Row[], descends: boolean) => Row[]

/** A time as a number, so that `:00Z` comes before `:00.400Z`. */
const keyOf = ({ id, timestamp = '' }: Row): [string, number] => [
  String(id),
  Date.parse(String(timestamp)) || 0,
]

function compareKeys([id, time]: [string, number], [otherId, otherTime]: [string, number]): number {
  if (id !== otherId) return id < otherId ? -1 : 1
  return time - otherTime
}

const honoured: Sort = (rows, descends) =>
  rows.toSorted((one, other) => (descends ? -1 : 1) * compareKeys(keyOf(one), keyOf(other)))

/**
 * A service that accepts ORDER BY and comparisons of keys too, and answers at most 50 rows.
 *
 * @param sort the order in which it answers them. Default: as ORDER BY says
 */
export function orderingService(view: ViewName, rows: Row[], sort: Sort = honoured) {
  return serviceOf({ [view]: rows }, 50, (statement) => {
    const [, list, from, operator, key, order, limit] =
      /^SELECT (.+) FROM (\w+)(?: WHERE \(?id.*? (>=?) \(?(.+?)\)?)? ORDER BY (.+) LIMIT (\d+)$/.exec(
        statement,
      ) ?? []
    if (from !== view) return undefined
    const [id, timestamp] = key?.split(', ').map((text) => text.slice(1, -1)) ?? []
    const after = rows.filter((row) => {
      const place = id === undefined ? 1 : compareKeys(keyOf(row), keyOf({ id, timestamp }))
      return place > 0 || (operator === '>=' && place === 0)
    })
    const answered = sort(after, order!.includes('DESC')).slice(0, Math.min(50, Number(limit)))
    return envelope(
      answered.map((row) => Object.fromEntries(list!.split(', ').map((name) => [name, row[name]]))),
    )
  })
}

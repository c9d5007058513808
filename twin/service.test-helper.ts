import { contract, type ViewName } from '../schemas/index.ts'

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

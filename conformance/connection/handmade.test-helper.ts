import { contract, views, type ViewName } from '../../schemas/index.ts'
import { Client } from './http/client.ts'
import { Limits } from './http/limits.ts'
import { Pace } from './http/pace.ts'
import { Target } from '../connection/target.ts'
import { Tokens } from './http/tokens.ts'

/** A request to a hand-made service. */
export interface Asked {
  sql: string
  body: string
  url: string
  headers: Record<string, string>
}

/** A minimal service for one test. */
export interface Handmade {
  /** Rows by view; other views are empty. */
  rows?: Partial<Record<ViewName, Record<string, unknown>[]>>
  /** A special response; empty or undefined for the rows of the view. */
  answer?: (asked: Asked) => Response | '' | undefined | Promise<Response>
  message?: string
  timeLimitMs?: number
}

/** The longest response of a service, so that it has no cap that could have ended shorter ones. */
export const manyRows = {
  v_archived_records: Array.from({ length: 200 }, (_, n) => ({
    record_id: `a record with a long identifier, which was archived long ago: ${n}`,
    table_name: 'attachments',
    archived_at: '2025-01-01T00:00:00Z',
  })),
}

const respond = (status: number, body: unknown): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })

export const refuse = (status: number, message: string = contract.messages.exception): Response =>
  respond(status, { data: [], status: { state: 'error', message } })

export const rowsReply = (data: unknown[], message = 'done'): Response =>
  respond(200, { data, status: { state: 'success', message } })

/** A target over a hand-made service that reads one view, selects named columns and applies LIMIT. */
export function handmade(service: Handmade): Target {
  const client = new Client({
    baseUrl: 'http://vendor.example',
    path: contract.endpoint.path,
    tokens: new Tokens('right-token', undefined, () => {}),
    headers: {},
    fetch: async (input, init) => {
      const body = String(init?.body)
      const headers = init?.headers as Record<string, string>
      const asked = { body, sql: statementOf(body), url: String(input), headers }
      return (await service.answer?.(asked)) || ordinary(asked, service)
    },
    timeoutMs: 5000,
    retries: 0,
    limits: new Limits({}),
    pace: new Pace(Infinity, 0),
  })
  return new Target(client, { timeLimitMs: service.timeLimitMs ?? 30_000, destructiveProbes: false })
}

function statementOf(body: string): string {
  try {
    return String((JSON.parse(body) as { statement?: unknown }).statement ?? '')
  } catch {
    return ''
  }
}

const READ = /^SELECT ([^;]+?) FROM (\w+)(?: WHERE .+?)?(?: GROUP .+?| ORDER .+?)?(?: LIMIT (\d+))?$/

function ordinary({ sql, url }: Asked, service: Handmade): Response {
  if (!url.endsWith('/')) return refuse(404)
  const [, list = '', name = '', limit = '1000000'] = READ.exec(sql) ?? []
  if (!views.some((view) => view.name === name))
    return refuse(200, name ? `relation "${name}" does not exist` : undefined)
  const rows = (service.rows?.[name as ViewName] ?? []).slice(0, Number(limit))
  const columns = list.split(', ')
  const project = (row: Record<string, unknown>) =>
    Object.fromEntries(columns.flatMap((column) => (column in row ? [[column, row[column]]] : [])))
  const data = list === '*' ? rows : rows.map(project)
  return rowsReply(data, service.message)
}

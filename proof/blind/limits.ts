import { type Call, errorReply, type Mutant, type Next, reply, wrapper } from '../mutant.ts'
import { envelopeOf, html, remembering, type Row, sqlOf, viewOf } from './helpers.ts'

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const TARGET = /\b(?:delete\s+from|update|insert\s+into|truncate(?:\s+table)?|drop\s+view)\s+"?(v_\w+)/i
const NOTHING = /\bwhere\s+(1\s*=\s*0|false)\b/i

/** Runs a kind of write, and shows its effect in the view from then on. */
const writes = (accepts: RegExp, effect: (rows: Row[]) => Row[]): Mutant['wrap'] =>
  remembering(
    () => new Set<string>(),
    async (changed, call, next) => {
      const sql = sqlOf(call)
      const target = TARGET.exec(sql)?.[1]?.toLowerCase()
      if (target && accepts.test(sql) && !NOTHING.test(sql)) {
        changed.add(target)
        return reply({ data: [], status: { state: 'success', message: 'Statement executed successfully' } })
      }
      return changed.has(viewOf(call) ?? '') ? affected(call, next, effect) : next(call)
    },
  )

async function affected(call: Call, next: Next, effect: (rows: Row[]) => Row[]): Promise<Response> {
  const response = await next(call)
  const envelope = await envelopeOf(response)
  if (envelope?.status.state !== 'success') return response
  const counted = envelope.data.length === 1 && typeof envelope.data[0]?.['count'] === 'number'
  return reply({ ...envelope, data: counted ? [{ count: 0 }] : effect(envelope.data) })
}

/** Another ending of a statement that ran too long. */
const timeout = (ending: (response: Response) => Response | Promise<Response>): Mutant['wrap'] =>
  wrapper(async (call, next) => {
    const response = await next(call)
    return response.status === 504 ? ending(response) : response
  })

export const limitMutants: readonly Mutant[] = [
  {
    id: 'blind-delete-runs',
    breaks: 'REQ-SEC-1',
    defect: 'DELETE deletes rows.',
    destructive: true,
    wrap: writes(/^\s*delete\b/i, () => []),
  },
  {
    id: 'blind-update-runs',
    breaks: 'REQ-SEC-1',
    defect: 'UPDATE changes texts of the view.',
    destructive: true,
    wrap: writes(/^\s*update\b/i, (rows) =>
      rows.map((row) =>
        Object.fromEntries(
          Object.entries(row).map(([key, value]) => [
            key,
            typeof value === 'string' && !/^id$|^(?!external)\w+_id$|_at$|timestamp/.test(key)
              ? `${value} (changed)`
              : value,
          ]),
        ),
      ),
    ),
  },
  {
    id: 'blind-write-in-cte-runs',
    breaks: 'REQ-SEC-1',
    defect: 'A DELETE inside a WITH clause deletes rows, because the statement ends with a SELECT.',
    destructive: true,
    wrap: writes(/^\s*with\b.*\bdelete\b/is, () => []),
  },
  {
    id: 'blind-second-statement-runs',
    breaks: 'REQ-SEC-1',
    defect: 'A write after a semicolon runs, because only the first statement is examined.',
    destructive: true,
    wrap: writes(/^\s*select\b[^;]*;\s*(delete|update|truncate|drop)\b/is, () => []),
  },
  {
    id: 'blind-timeout-service-unavailable',
    breaks: 'REQ-TIME-1',
    defect: 'A statement that runs too long gets 503.',
    wrap: timeout(() => html(503, 'Service Unavailable')),
  },
  {
    id: 'blind-timeout-request-timeout',
    breaks: 'REQ-TIME-1',
    defect: 'A statement that runs too long gets 408, as if the client had been slow.',
    wrap: timeout(() => html(408, 'Request Timeout')),
  },
  {
    id: 'blind-timeout-as-error-state',
    breaks: 'REQ-TIME-1',
    defect: 'A statement that runs too long is canceled by the database and reported with HTTP 200.',
    wrap: timeout(() => errorReply('canceling statement due to statement timeout')),
  },
  {
    id: 'blind-timeout-partial-success',
    breaks: 'REQ-TIME-1',
    defect: 'A statement that runs too long is a success with the rows found so far.',
    wrap: timeout(() => reply({ data: [], status: { state: 'success', message: 'Partial result' } })),
  },
  {
    id: 'blind-timeout-closes-connection',
    breaks: 'REQ-TIME-1',
    defect: 'The connection closes when a statement runs too long.',
    wrap: timeout(() => Promise.reject(new TypeError('fetch failed'))),
  },
  {
    id: 'blind-timeout-late',
    breaks: 'REQ-TIME-1',
    defect: 'The limit is checked only every ten seconds, so a statement ends ten seconds late.',
    wrap: timeout(async (response) => {
      await pause(10_000)
      return response
    }),
  },
]

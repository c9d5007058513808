import { Button } from '../parts/button.tsx'
import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { Rows } from '../grid/rows.tsx'
import { type LoggedRequest, requests } from '../service/requests.ts'
import { change, route } from '../service/route.ts'
import type { Service } from '../service/service.ts'
import { Controls } from './controls.tsx'
import { Details } from './details.tsx'
import { statementOf } from './take-away.ts'

const columns = ['time', 'status', 'state', 'statement', 'cause', 'ms', 'bytes', 'variants', 'session']
type Row = readonly unknown[]
const rowsOf = new WeakMap<LoggedRequest, Row>()
const requestsOf = new WeakMap<Row, LoggedRequest>()

/** A request as a row, which is the same as long as the request is there: the table knows its rows by identity. */
function rowOf(one: LoggedRequest): Row {
  const { at, status, state, durationMs, bytes, variants, cause, session } = one
  const row = rowsOf.get(one) ?? [
    new Date(at).toLocaleTimeString('en-GB'),
    status || 'reset',
    state,
    statementOf(one),
    cause ?? '',
    Math.round(durationMs),
    bytes ?? '',
    variants ?? '',
    session ?? '',
  ]
  rowsOf.set(one, row)
  requestsOf.set(row, one)
  return row
}

/** The requests of the server as they arrive, and what to arm. */
export function Traffic({ service }: { service: Service }) {
  const since = useSignal(0)
  const rows = useMemo(
    () =>
      requests.value
        .filter((one) => Date.parse(one.at) > since.value)
        .toReversed()
        .map(rowOf),
    [requests.value, since.value],
  )
  return (
    <div class="split right">
      <Rows
        name="Requests"
        noun="request"
        answer={{
          columns,
          rows,
          message: `Requests to ${service.url} appear here as they arrive. What the page itself reads does not.`,
        }}
        about="the latest first"
        params={route.value.params}
        change={change}
        search="Search the requests (state:error)"
        toneOf={(row) =>
          ({ success: '', error: 'bad', broken: 'warn' })[requestsOf.get(row)?.state ?? 'success']
        }
        actionsOf={(row) => {
          const request = requestsOf.get(row)
          return request && <Details key={request.id} service={service} request={request} />
        }}
        more={<Button class="small" text="Clear" act={() => (since.value = Date.now())} />}
      />
      <Controls service={service} />
    </div>
  )
}

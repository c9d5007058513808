import { Button } from '../parts/button.tsx'
import { useMemo } from 'preact/hooks'
import { Rows } from '../grid/rows.tsx'
import { type LoggedRequest, clearedAt, listed } from '../service/requests.ts'
import { change, route } from '../service/route.ts'
import type { Service } from '../service/service.ts'
import { Controls } from './controls.tsx'
import { Details } from './details.tsx'
import { statementOf } from './take-away.ts'

const columns = 'time status cause statement request client ms bytes state variants session at'.split(' ')
type Row = readonly unknown[]
const rowsOf = new WeakMap<LoggedRequest, Row>()
const requestsOf = new WeakMap<Row, LoggedRequest>()

/** A request as a row, which is the same as long as the request is there: the table knows its rows by identity. */
function rowOf(one: LoggedRequest, endpoint: string): Row {
  const { at, status, request, state, durationMs, bytes, variants, cause, session, client } = one
  const [method = '', path = ''] = request?.split(' ') ?? []
  const row = rowsOf.get(one) ?? [
    new Date(at).toLocaleTimeString('en-GB'),
    status || 'reset',
    // the name of its class takes the room of what it says; the place of an error stands in the open row
    cause?.split('\n')[0]!.replace(/^\w+: /, '') ?? '',
    statementOf(one),
    // most have the path of the endpoint, and another one is a mistake
    path.replace(/^\/s\/[^/]+/, '') === endpoint ? method : `${method} ${path}`,
    client ?? '',
    Math.round(durationMs),
    bytes ?? '',
    state,
    variants ?? '',
    session ?? '',
    at,
  ]
  rowsOf.set(one, row)
  requestsOf.set(row, one)
  return row
}

/** The words of a filter that hide the statements of users of the page, and those of the suite. */
const others = '-client:console -client:+conformance'

/** The requests of the server as they arrive, and what to inject. */
export function Traffic({ service }: { service: Service }) {
  const { params } = route.value
  const { filter = '' } = params
  const rows = useMemo(
    () => listed.value.toReversed().map((one) => rowOf(one, service.facts.path)),
    [listed.value],
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
        params={params}
        change={change}
        search="Search the requests"
        example="state:error  -client:curl  ms>500"
        whole={async (row) => {
          // how it ended, what was sent and what came back stand before the rest
          const { got = 'The connection was reset.', request, sent, cause } = requestsOf.get(row)!
          const cells = Object.fromEntries(columns.map((name, at) => [name, row[at]]))
          const { status, statement } = cells
          const first = { status, ...(cause && { cause }), request, sent: sent ?? statement, got }
          const whole = { ...first, ...cells, ...first }
          return { columns: Object.keys(whole), rows: [Object.values(whole)] }
        }}
        titleOf={(row) => `${String(row[1])} at ${String(row[0])}`}
        toneOf={(row) =>
          ({ success: '', error: 'bad', broken: 'warn' })[requestsOf.get(row)?.state ?? 'success']
        }
        actionsOf={(row) => {
          const request = requestsOf.get(row)
          return request && <Details key={request.id} service={service} request={request} />
        }}
        more={
          <>
            <label class="check small">
              <input
                type="checkbox"
                checked={filter.includes(others)}
                onChange={({ currentTarget: { checked } }) =>
                  change({ filter: `${filter.replace(others, '')} ${checked ? others : ''}`.trim() })
                }
              />
              Hide this page and the suite
            </label>
            <Button class="small" text="Clear" act={() => (clearedAt.value = Date.now())} />
          </>
        }
      />
      <Controls service={service} />
    </div>
  )
}

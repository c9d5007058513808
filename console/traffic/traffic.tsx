import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { duration, size } from '../parts/format.ts'
import { type LoggedRequest, requests } from '../service/requests.ts'
import { note, route } from '../service/route.ts'
import type { Service } from '../service/service.ts'
import { Controls } from './controls.tsx'
import { Details } from './details.tsx'

/** Rows that the table draws: nobody reads more, and the filter finds the others. */
const most = 200

/** The requests of the server as they arrive, and what to arm. */
export function Traffic({ service }: { service: Service }) {
  const filter = route.value.params['filter'] ?? ''
  const outcome = useSignal('')
  const chosen = useSignal<LoggedRequest | undefined>(undefined)
  const since = useSignal(0)
  const shown = useMemo(
    () =>
      requests.value
        .filter((one) => Date.parse(one.at) > since.value && matches(one, filter, outcome.value))
        .toReversed(),
    [requests.value, filter, outcome.value, since.value],
  )
  return (
    <div class="split right">
      <section class="card" aria-label="Requests">
        <header>
          <label class="grow">
            <span class="hidden-label">Filter by statement, cause, variant or session</span>
            <input
              type="search"
              placeholder="Filter by statement, cause, variant or session"
              value={filter}
              onInput={({ currentTarget: { value } }) => note('traffic', { filter: value })}
            />
          </label>
          <label>
            <span class="hidden-label">Outcome</span>
            <select
              value={outcome.value}
              onChange={({ currentTarget: { value } }) => (outcome.value = value)}
            >
              <option value="">every outcome</option>
              <option>success</option>
              <option>error</option>
              <option>broken</option>
            </select>
          </label>
          <button type="button" onClick={() => (since.value = Date.now())}>
            Clear
          </button>
        </header>
        {shown.length === 0 ? (
          <div class="empty">
            <h2>No requests</h2>
            <p>Requests to {service.url} appear here as they arrive.</p>
          </div>
        ) : (
          <Requests shown={shown} chosen={chosen.value} choose={(one) => (chosen.value = one)} />
        )}
      </section>
      <div class="stack">
        {chosen.value && (
          <Details
            key={chosen.value.id}
            service={service}
            request={chosen.value}
            close={() => (chosen.value = undefined)}
          />
        )}
        <Controls service={service} />
      </div>
    </div>
  )
}

const matches = (one: LoggedRequest, filter: string, outcome: string): boolean =>
  (outcome === '' || one.state === outcome) &&
  `${one.statement} ${one.text} ${one.cause} ${one.variants} ${one.status} ${one.session}`
    .toLowerCase()
    .includes(filter.toLowerCase())

interface RequestsProps {
  shown: readonly LoggedRequest[]
  chosen: LoggedRequest | undefined
  choose: (one: LoggedRequest) => void
}

function Requests({ shown, chosen, choose }: RequestsProps) {
  return (
    <div class="scroll requests" tabIndex={0} role="region" aria-label="Table of requests">
      <table>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Outcome</th>
            <th scope="col" class="number">
              Took
            </th>
            <th scope="col" class="number">
              Size
            </th>
            <th scope="col">Statement</th>
          </tr>
        </thead>
        <tbody>
          {shown.slice(0, most).map((one) => (
            <tr key={`${one.id} ${one.at}`} class={one === chosen ? 'chosen' : ''}>
              <td class="mono nowrap">{timeOf(one.at)}</td>
              <td class="nowrap">
                <Outcome request={one} />
              </td>
              <td class="number small">{duration(one.durationMs)}</td>
              <td class="number small">{one.bytes === undefined ? '–' : size(one.bytes)}</td>
              <td class="statement">
                {one.session !== undefined && <span class="badge mono">session {one.session}</span>}
                <button
                  type="button"
                  class="quiet mono"
                  aria-pressed={one === chosen}
                  onClick={() => choose(one)}
                >
                  {one.statement || '(no statement was read)'}
                </button>
                {one.variants && <span class="badge warn mono">{one.variants}</span>}
                {one.cause && <p class="small muted">{one.cause}</p>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {shown.length > most && (
        <p class="empty small">{shown.length - most} older requests are not drawn. Filter to find them.</p>
      )}
    </div>
  )
}

/** The status and how it ended, in a colour and in words. */
export function Outcome({ request: { state, status } }: { request: LoggedRequest }) {
  const colour = { success: 'good', error: 'bad', broken: 'warn' }[state]
  return (
    <span class={`badge ${colour}`}>
      {status === 0 ? 'reset' : status} {state}
    </span>
  )
}

const timeOf = (at: string): string => new Date(at).toLocaleTimeString('en-GB')

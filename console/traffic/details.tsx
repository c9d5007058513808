import { useEffect, useRef, useState } from 'preact/hooks'
import { Outcome as RunOutcome } from '../ask/outcome.tsx'
import { isMended, run, type Run } from '../ask/run.ts'
import { asCurl, asJson } from '../ask/take-away.ts'
import { copy, say } from '../parts/copy.ts'
import { duration, size } from '../parts/format.ts'
import { Menu } from '../parts/menu.tsx'
import type { LoggedRequest } from '../service/requests.ts'
import { hashOf } from '../service/route.ts'
import type { Service } from '../service/service.ts'
import { asMswTest, asStub, statementOf } from './take-away.ts'

interface DetailsProps {
  service: Service
  request: LoggedRequest
  close: () => void
}

/** One request: all that is known of it, to send again and to take away. */
export function Details({ service, request, close }: DetailsProps) {
  const [replayed, setReplayed] = useState<Run>({ state: 'none' })
  const statement = statementOf(request)
  const card = useRef<HTMLElement>(null)
  // in a narrow window the card is below the list
  useEffect(() => card.current!.scrollIntoView({ block: 'nearest' }), [])
  const replay = async (): Promise<Run> => {
    setReplayed({ state: 'running', since: performance.now() })
    const outcome = await run(service, statement, new AbortController().signal, request.variants)
    setReplayed(outcome)
    return outcome
  }
  useEffect(() => {
    if (isMended(replayed, service)) void replay()
  }, [service, replayed])
  const take = async (what: string, make: (rows: string) => string) => {
    const outcome = await replay()
    if (outcome.state === 'rows') await copy(make(asJson(outcome.answer)), what)
    else say('The statement has no rows to take away: it failed again.')
  }
  return (
    <section ref={card} class="card" aria-label={`Request ${request.id}`}>
      <header>
        <h2 class="grow">Request {request.id}</h2>
        <button type="button" class="small quiet" onClick={close} aria-label="Close the details">
          ✕
        </button>
      </header>
      <div class="body stack">
        <pre class="sql">{statement || '(no statement was read)'}</pre>
        <dl class="facts">
          <dt>Outcome</dt>
          <dd>
            {request.status || 'reset'} {request.state}, {duration(request.durationMs)}
            {request.bytes !== undefined && `, ${size(request.bytes)}`}
          </dd>
          <dt>At</dt>
          <dd>{request.at}</dd>
          {request.variants && (
            <>
              <dt>Variants</dt>
              <dd class="mono">{request.variants}</dd>
            </>
          )}
          {request.cause && (
            <>
              <dt>Cause</dt>
              <dd class="mono">{request.cause}</dd>
            </>
          )}
        </dl>
        {statement && (
          <div class="row">
            <button type="button" class="primary" onClick={() => void replay()}>
              Replay
            </button>
            <a class="button" href={hashOf('ask', { sql: statement })}>
              Open in Ask
            </a>
            <Menu
              label="Copy as"
              items={[
                ['msw test', () => void copy(asMswTest(request), 'a test with msw')],
                ['Stub (on.rows)', () => void take('a stub', (rows) => asStub(request, rows))],
                ['Fixture (JSON rows)', () => void take('the rows as JSON', (rows) => rows)],
                ['curl', () => void copy(asCurl(service.url, statement), 'a curl command')],
              ]}
            />
          </div>
        )}
        {replayed.state !== 'none' && <RunOutcome run={replayed} />}
      </div>
    </section>
  )
}

import { Button } from '../parts/button.tsx'
import { useEffect, useState } from 'preact/hooks'
import { Outcome } from '../ask/outcome.tsx'
import { begin, isMended, run, type Run } from '../ask/run.ts'
import { asCurl, asJson } from '../ask/take-away.ts'
import { copy, say } from '../parts/copy.ts'
import { Menu } from '../parts/menu.tsx'
import type { LoggedRequest } from '../service/requests.ts'
import { hashOf } from '../service/route.ts'
import type { Service } from '../service/service.ts'
import { asMswTest, asStub, statementOf } from './take-away.ts'

/** A request to send again and to take away. */
export function Details({ service, request }: { service: Service; request: LoggedRequest }) {
  const [replayed, setReplayed] = useState<Run>({ state: 'none' })
  const statement = statementOf(request)
  const replay = async (): Promise<Run> => {
    const now = begin()
    setReplayed(now)
    const outcome = await run(service, statement, now, { variants: request.variants })
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
  if (statement === '') return null
  return (
    <div class="stack">
      <div class="row">
        <Button class="primary" text="Replay" act={() => void replay()} />
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
      {replayed.state !== 'none' && <Outcome run={replayed} />}
    </div>
  )
}

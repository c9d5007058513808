import { asCurl } from '../ask/take-away.ts'
import { copy } from '../parts/copy.ts'
import { Menu } from '../parts/menu.tsx'
import type { LoggedRequest } from '../service/requests.ts'
import { hashOf } from '../service/route.ts'
import type { Service } from '../service/service.ts'
import { asMswTest, statementOf } from './take-away.ts'

/** A request to send again and to copy. */
export function Details({ service, request }: { service: Service; request: LoggedRequest }) {
  const statement = statementOf(request)
  if (statement === '') return null
  return (
    <div class="row">
      <a class="button" href={hashOf('ask', { sql: statement })}>
        Open in Ask
      </a>
      <Menu
        label="Copy as"
        items={[
          ['msw test', () => void copy(asMswTest(request), 'a test with msw')],
          ['curl', () => void copy(asCurl(service.url, statement), 'a curl command')],
        ]}
      />
    </div>
  )
}

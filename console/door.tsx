import { adminToken } from './service/tokens.ts'
import { connect, type Connection } from './service/connect.ts'

/** What the page shows before it has a service: why, and what to do. */
export function Door({ connection }: { connection: Exclude<Connection, { state: 'ready' }> }) {
  if (connection.state === 'starting')
    return (
      <main class="door" aria-busy="true">
        <p class="empty">{connection.message}</p>
      </main>
    )
  return (
    <main class="door">
      <h2>The page has no access</h2>
      <p class="notice warn" role="alert">
        {connection.message}
      </p>
      {connection.needsAdminToken ? (
        <form
          class="row"
          onSubmit={(event) => {
            event.preventDefault()
            adminToken.value = String(new FormData(event.currentTarget).get('token')).trim()
            void connect()
          }}
        >
          <input name="token" type="password" aria-label="Admin token" autocomplete="off" required />
          <button class="primary">Open</button>
        </form>
      ) : (
        <p>
          <button type="button" onClick={() => void connect()}>
            Try again
          </button>
        </p>
      )}
    </main>
  )
}

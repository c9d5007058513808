import { Button } from './parts/button.tsx'
import { takeFocus } from './parts/focus.ts'
import { connect, type Connection } from './service/connect.ts'
import { adminToken } from './service/tokens.ts'

/** What the page shows before it has a service: why, and what to do. */
export function Door({ connection }: { connection: Exclude<Connection, { state: 'ready' }> }) {
  if (connection.state === 'starting')
    return (
      <main class="door" aria-busy="true">
        <p class="empty">{connection.message}</p>
      </main>
    )
  const { asks, message } = connection
  return (
    <main class="door stack">
      <p class={`notice ${asks ? 'none' : 'warn'}`} role={asks ? 'status' : 'alert'}>
        {message}
      </p>
      {asks ? (
        <form
          class="row"
          onSubmit={(event) => {
            event.preventDefault()
            asks.value = String(new FormData(event.currentTarget).get('token')).trim()
            void connect()
          }}
        >
          <input
            ref={takeFocus}
            name="token"
            type="password"
            aria-label={asks === adminToken ? 'Admin token' : 'Token'}
            autocomplete="off"
            required
          />
          <button class="primary">Open</button>
        </form>
      ) : (
        <Button text="Try again" act={() => void connect()} />
      )}
    </main>
  )
}

import { Button } from './parts/button.tsx'
import { useEffect, useRef } from 'preact/hooks'
import { LiveClock } from './live-clock.tsx'
import { asksForToken } from './parts/give-token.tsx'
import type { Service } from './service/service.ts'
import { refusedToken, statementToken } from './service/tokens.ts'

/** What the menu calls the token of a service. */
export const tokenText = ({ token, facts }: Service): string =>
  token === facts.token ? 'Token: server’s' : 'Own token'

/** Where the page is and how late it is there, and a button where the service has no token that it accepts. */
export function ServiceState({ service }: { service: Service }) {
  if (service.kind === 'playground')
    return (
      <span class="badge accent" title="The server runs in this page.">
        playground
      </span>
    )
  const { token, session, facts } = service
  const isRefused = token !== undefined && refusedToken.value === token
  return (
    <>
      {session && (
        <span class="badge accent" title={`Every request of this page is in the session ${session}.`}>
          session {session}
        </span>
      )}
      <LiveClock service={service} />
      {(isRefused || token === undefined) && (
        <Button
          class="notice bad"
          text={isRefused ? 'Token refused' : 'Give a token'}
          act={() => (asksForToken.value = true)}
        />
      )}
      <TokenDialog isServers={facts.token !== undefined} />
    </>
  )
}

function TokenDialog({ isServers }: { isServers: boolean }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const isOpen = asksForToken.value
  useEffect(() => {
    if (isOpen) dialog.current!.showModal()
  }, [isOpen])
  return (
    <dialog ref={dialog} aria-labelledby="token-heading" onClose={() => (asksForToken.value = false)}>
      <form
        method="dialog"
        class="stack"
        onSubmit={(event) => {
          const given = String(new FormData(event.currentTarget).get('token')).trim()
          statementToken.value = given || undefined
        }}
      >
        <h2 id="token-heading">Token of statements</h2>
        <p class="muted small">
          {isServers
            ? 'The server made a token at its start and told it to this page. Another one replaces it here; leave the field empty to use the server’s again.'
            : 'The server was started with a token of yours (--token, or an identity provider). Paste it. It stays in this browser tab and is never part of an address.'}
        </p>
        <label class="field">
          Bearer token
          <input name="token" type="password" autocomplete="off" defaultValue={statementToken.value ?? ''} />
        </label>
        <div class="row">
          <button class="primary">Use</button>
          <Button text="Cancel" act={() => dialog.current!.close()} />
        </div>
      </form>
    </dialog>
  )
}

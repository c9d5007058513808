import { useRef } from 'preact/hooks'
import type { Service } from './service/service.ts'
import { statementToken } from './service/tokens.ts'

/** Shows whether the page has a token for statements, and asks for another one. */
export function TokenButton({ service }: { service: Service }) {
  const dialog = useRef<HTMLDialogElement>(null)
  if (service.kind === 'playground')
    return (
      <span class="badge accent" title="The server runs in this page.">
        playground
      </span>
    )
  const own = statementToken.value !== undefined
  const has = own || service.facts.token !== undefined
  return (
    <>
      {service.facts.now && <span class="badge info">live plant</span>}
      <button type="button" class={has ? 'quiet' : 'danger'} onClick={() => dialog.current!.showModal()}>
        {own ? 'Own token' : has ? 'Token: server’s' : 'Give a token'}
      </button>
      <dialog ref={dialog} aria-labelledby="token-heading">
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
            {service.facts.token
              ? 'The server made a token at its start and told it to this page. Another one replaces it here; leave the field empty to use the server’s again.'
              : 'The server was started with a token of yours (--token, or an identity provider). Paste it. It stays in this browser tab and is never part of an address.'}
          </p>
          <label class="field">
            Bearer token
            <input
              name="token"
              type="password"
              autocomplete="off"
              defaultValue={statementToken.value ?? ''}
            />
          </label>
          <div class="row">
            <button class="primary">Use</button>
            <button type="button" onClick={() => dialog.current!.close()}>
              Cancel
            </button>
          </div>
        </form>
      </dialog>
    </>
  )
}

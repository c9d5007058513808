import { signal } from '@preact/signals'

/** Whether the dialog of the header that takes a token is open. */
export const asksForToken = signal(false)

/** The button of every error that another token mends. */
export const GiveToken = () => (
  <p>
    <button type="button" onClick={() => (asksForToken.value = true)}>
      Give another token
    </button>
  </p>
)

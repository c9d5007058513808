import { Button } from './button.tsx'
import { signal } from '@preact/signals'
import { needsToken } from '../service/service.ts'

/** Whether the dialog of the header that takes a token is open. */
export const asksForToken = signal(false)

/** The button of every error that another token mends. */
export const GiveToken = () => (
  <p>
    <Button text="Give another token" act={() => (asksForToken.value = true)} />
  </p>
)

/** Why something cannot be read. */
export const Problem = ({ what, error }: { what: string; error: Error }) => (
  <div class="notice bad stack" role="alert">
    <p>
      {what} cannot be read: {error.message}
    </p>
    {needsToken(error) && <GiveToken />}
  </div>
)

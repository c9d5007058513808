import {
  AccessRefused,
  ConnectionFailed,
  ServiceBusy,
  TimeLimitExceeded,
  UnexpectedAnswer,
} from 'bioprocess-sql-contract/client'

/** What a reader can do about an error. */
export function Failure({ error, onRetry }: { error: Error; onRetry: () => void }) {
  return (
    <div role="alert">
      <p>{adviceOn(error)}</p>
      <button onClick={onRetry}>Try again</button>
    </div>
  )
}

function adviceOn(error: Error): string {
  if (error instanceof TimeLimitExceeded) return 'The service needed too long. Choose fewer runs.'
  if (error instanceof AccessRefused) return 'The service does not accept the token. Sign in again.'
  if (error instanceof ConnectionFailed) return 'The service cannot be reached. Check the network.'
  if (error instanceof ServiceBusy) return 'The service is busy. Try again in a moment.'
  if (error instanceof UnexpectedAnswer) return 'The service sends an unexpected form of answer.'
  return `The service refused the question: ${error.message}`
}

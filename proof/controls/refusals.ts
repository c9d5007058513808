import type { Control } from './control.ts'
import { accepting } from '../mutants/auth.ts'
import { onEnvelope, type Mutant } from '../mutant.ts'

/** Gives the documented errors with a text of their own another status. */
const documentedErrorsWith = (status: number): Mutant['wrap'] =>
  onEnvelope(
    (envelope) => envelope,
    ({ status: { message } }, was) =>
      /^relation "\w+" does not exist$|^JSON decode error/.test(message) ? status : was,
  )

/** Controls with other errors and refusals. */
export const refusals: Control[] = [
  {
    id: 'documented-errors-403',
    does: 'Unknown views and syntax errors have the status 403.',
    wrap: documentedErrorsWith(403),
  },
  {
    id: 'documented-errors-503',
    does: 'Unknown views and syntax errors have the status 503.',
    wrap: documentedErrorsWith(503),
  },
  {
    id: 'tokens-in-any-case',
    does: 'Tokens are compared without letter case, as those that are a UUID may be.',
    wrap: accepting((given, valid) => given?.toLowerCase() === valid.toLowerCase()),
  },
  ...[200, 400, 422, 500].map((status): Control => ({
    id: `errors-${status}`,
    does: `Every error of a statement has the status ${status}.`,
    wrap: onEnvelope(
      (envelope) => envelope,
      (envelope, was) => (envelope.status.state === 'error' && was !== 504 ? status : was),
    ),
  })),
  {
    id: 'decode-error-with-position',
    does: 'A JSON decode error names its position.',
    wrap: onEnvelope((envelope) => {
      const { data, status } = envelope
      return status.message.startsWith('JSON decode error')
        ? { data, status: { ...status, message: `${status.message}: line 1 column 15 (char 14)` } }
        : envelope
    }),
  },
]

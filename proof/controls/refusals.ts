import type { Control } from './control.ts'
import { accepting } from '../mutants/auth.ts'
import { onEnvelope, wrapper, type Mutant } from '../mutant.ts'

/** Gives the documented errors with a text of their own another status. */
const documentedErrorsWith = (status: number): Mutant['wrap'] =>
  onEnvelope(
    (envelope) => envelope,
    ({ status: { message } }, was) =>
      /^relation "\w+" does not exist$|^JSON decode error/.test(message) ? status : was,
  )

/** Closes the connection of requests without a valid token. */
const closing = wrapper(async (call, next) => {
  const response = await next(call)
  if (response.status !== 401) return response
  throw new TypeError('fetch failed', {
    cause: Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' }),
  })
})

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
    id: 'tokens-refused-by-closing',
    does: 'The connection of a request without a valid token is closed.',
    wrap: closing,
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

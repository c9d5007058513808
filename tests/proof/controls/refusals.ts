import type { Control } from './control.ts'
import { accepting } from '../mutants/auth.ts'
import { errorReply, onEnvelope, wrapper, type Mutant } from '../mutant.ts'

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

const page = (status: number, text: string) =>
  new Response(text, { status, headers: { 'content-type': 'text/html' } })

/** Answers some requests itself: `answer` gets the number of the request, and how many are in flight. */
const refusing =
  (answer: (n: number, inFlight: number) => Response | undefined): Mutant['wrap'] =>
  (fetch) => {
    let [count, inFlight] = [0, 0]
    return async (input, init) => {
      const refused = answer(++count, ++inFlight)
      try {
        return refused ?? (await fetch(input, init))
      } finally {
        inFlight--
      }
    }
  }

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
  ...[60, 110].map((requests): Control => ({
    id: `backend-stops-after-${requests}`,
    does: `After ${requests} requests the backend is down, and every request gets 502 with the envelope.`,
    hides: true,
    wrap: (fetch) => {
      let sent = 0
      return async (input, init) => (++sent > requests ? errorReply('fetch failed', 502) : fetch(input, init))
    },
  })),
  {
    id: 'names-folded-to-capitals',
    does: 'Identifiers without quotes are folded to upper case, also in messages.',
    wrap: onEnvelope(({ data, status }) => ({
      data,
      status: {
        ...status,
        message: status.message.replace(/(?<=^relation ").*(?=")/, (name) => name.toUpperCase()),
      },
    })),
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
    id: 'busy-in-words',
    does: 'Every ninth request is refused with a page about too many requests.',
    hides: true,
    wrap: refusing((n) => (n % 9 === 0 ? page(403, '<p>Too many requests</p>') : undefined)),
  },
  {
    id: 'concurrency-limited',
    does: 'More than three statements at once get a state error that names the limit.',
    hides: true,
    wrap: refusing((_, inFlight) =>
      inFlight > 3 ? errorReply('Too many concurrent statements') : undefined,
    ),
  },
  {
    id: 'restarts-in-mid-run',
    does: 'A gateway answers twelve requests in a row with 502 while the service restarts.',
    hides: true,
    wrap: refusing((n) => (n >= 90 && n < 102 ? page(502, '<h1>Bad Gateway</h1>') : undefined)),
  },
  {
    id: 'restarts-in-envelopes',
    does: 'Twelve requests in a row get HTTP 500 with an envelope while the database restarts.',
    hides: true,
    wrap: refusing((n) =>
      n >= 90 && n < 102
        ? errorReply('connection to the database failed: Connection refused', 500)
        : undefined,
    ),
  },
  {
    id: 'busy-in-envelopes',
    does: 'Every ninth request gets HTTP 500 with an envelope about too many connections.',
    hides: true,
    wrap: refusing((n) =>
      n % 9 === 0 ? errorReply('FATAL: sorry, too many connections already', 500) : undefined,
    ),
  },
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

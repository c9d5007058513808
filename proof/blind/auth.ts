import { type Call, errorReply, type Mutant, reply, wrapper } from '../mutant.ts'
import { envelopeOf, joined, malformed, remembering, viewOf } from './helpers.ts'

const authorization = (call: Call) => new Headers(call.init.headers).get('authorization') ?? ''
const authorized = (call: Call, value: string): Call => {
  const headers = new Headers(call.init.headers)
  headers.set('authorization', value)
  return { ...call, init: { ...call.init, headers: Object.fromEntries(headers) } }
}
const tokenOf = (header: string) => header.replace(/^\w+\s+/, '')
const refusal = () => errorReply('Unauthorized', 401)

/** Serves a request without the valid token if the given header is good enough. */
const lenient = (accepts: (given: string, valid: string, call: Call, refused: number) => boolean) =>
  remembering(
    () => ({ valid: '', refused: 0 }),
    async (state, call, next) => {
      const given = authorization(call)
      if (state.valid && given !== state.valid && accepts(given, state.valid, call, state.refused)) {
        return next(authorized(call, state.valid))
      }
      const response = await next(call)
      if ((await envelopeOf(response))?.status.state === 'success') state.valid ||= given
      else if (given !== state.valid) state.refused++
      return response
    },
  )

/** Accepts a bearer token that resembles the valid one. */
const resembling = (same: (given: string, valid: string) => boolean) =>
  lenient((given, valid) => /^bearer\s/i.test(given) && same(tokenOf(given), tokenOf(valid)))

export const authMutants: readonly Mutant[] = [
  {
    id: 'blind-replica-with-old-keys',
    breaks: 'REQ-AUTH-1',
    defect: 'One replica of six has stale keys and refuses the valid token.',
    wrap: remembering(
      () => ({ count: 0 }),
      async (state, call, next) => (++state.count % 6 === 0 ? refusal() : next(call)),
    ),
  },
  {
    id: 'blind-token-locked-while-in-use',
    breaks: 'REQ-AUTH-1',
    defect: 'A token is refused while another request with it is running.',
    wrap: remembering(
      () => ({ running: 0 }),
      async (state, call, next) => {
        if (state.running > 0) return refusal()
        state.running++
        try {
          return await next(call)
        } finally {
          state.running--
        }
      },
    ),
  },
  {
    id: 'blind-session-lost-after-bad-body',
    breaks: 'REQ-AUTH-1',
    defect: 'A body that is not JSON ends the session, so the next request with the valid token gets 401.',
    wrap: remembering(
      () => ({ lost: false }),
      async (state, call, next) => {
        const lost = state.lost
        state.lost = malformed(call)
        return lost ? refusal() : next(call)
      },
    ),
  },
  {
    id: 'blind-join-needs-another-audience',
    breaks: 'REQ-AUTH-1',
    defect: 'The gateway answers every second join with 401 although the token is valid.',
    wrap: remembering(
      () => ({ joins: 0 }),
      async (state, call, next) => (joined(call) && ++state.joins % 2 === 0 ? refusal() : next(call)),
    ),
  },
  {
    id: 'blind-token-prefix-compared',
    breaks: 'REQ-AUTH-2',
    defect: 'Only the first eight characters of a token are compared.',
    wrap: resembling((given, valid) => given.slice(0, 8) === valid.slice(0, 8)),
  },
  {
    id: 'blind-token-signature-ignored',
    breaks: 'REQ-AUTH-2',
    defect: 'The last third of a token, where a JWT has its signature, is not verified.',
    wrap: resembling((given, valid) => {
      const length = Math.ceil((valid.length * 2) / 3)
      return given.length >= length && given.slice(0, length) === valid.slice(0, length)
    }),
  },
  {
    id: 'blind-token-ends-compared',
    breaks: 'REQ-AUTH-2',
    defect: 'A token is looked up by its first and last four characters.',
    wrap: resembling(
      (given, valid) => given.slice(0, 4) === valid.slice(0, 4) && given.slice(-4) === valid.slice(-4),
    ),
  },
  {
    id: 'blind-token-letter-case-ignored',
    breaks: 'REQ-AUTH-2',
    defect: 'Tokens are compared without regard to letter case, by the collation of the database.',
    wrap: resembling((given, valid) => given.toLowerCase() === valid.toLowerCase()),
  },
  {
    id: 'blind-token-length-compared',
    breaks: 'REQ-AUTH-2',
    defect: 'Any token of the right length is accepted.',
    wrap: resembling((given, valid) => given.length === valid.length),
  },
  {
    id: 'blind-token-is-a-prefix',
    breaks: 'REQ-AUTH-2',
    defect: 'Any beginning of the valid token is accepted, because the two are compared with startsWith.',
    wrap: resembling((given, valid) => valid.startsWith(given)),
  },
  {
    id: 'blind-any-scheme',
    breaks: 'REQ-AUTH-2',
    defect: 'The scheme of the header is ignored: the token is accepted under Basic too.',
    wrap: lenient((given, valid) => tokenOf(given) === tokenOf(valid)),
  },
  {
    id: 'blind-anonymous-service-account',
    breaks: 'REQ-AUTH-2',
    defect: 'A request without the header runs as the service account.',
    wrap: lenient((given) => given === ''),
  },
  {
    id: 'blind-empty-bearer',
    breaks: 'REQ-AUTH-2',
    defect: 'The scheme alone, without a token, passes the gateway.',
    wrap: lenient((given) => /^bearer\s*$/i.test(given)),
  },
  {
    id: 'blind-token-undefined',
    breaks: 'REQ-AUTH-2',
    defect: 'The texts undefined and null, which careless clients send as a token, are accepted.',
    wrap: resembling((given) => given === 'undefined' || given === 'null'),
  },
  {
    id: 'blind-token-in-query-unchecked',
    breaks: 'REQ-AUTH-2',
    defect: 'A query parameter access_token or token is taken as proof of a login without being verified.',
    wrap: lenient((_, __, call) => /[?&](access_token|token|bearer)=/i.test(call.url)),
  },
  {
    id: 'blind-fails-open',
    breaks: 'REQ-AUTH-2',
    defect: 'After three refusals the gateway gives up asking the identity provider and serves every token.',
    wrap: lenient((_, __, ___, refused) => refused >= 3),
  },
  {
    id: 'blind-connection-stays-authenticated',
    breaks: 'REQ-AUTH-2',
    defect:
      'The first wrong token after a good request is served, because the login belongs to the connection.',
    wrap: remembering(
      () => ({ valid: '', fresh: false }),
      async (state, call, next) => {
        const given = authorization(call)
        if (state.fresh && given !== state.valid) {
          state.fresh = false
          return next(authorized(call, state.valid))
        }
        const response = await next(call)
        if ((await envelopeOf(response))?.status.state === 'success') {
          state.valid = given
          state.fresh = true
        }
        return response
      },
    ),
  },
  {
    id: 'blind-public-view',
    breaks: 'REQ-AUTH-2',
    defect:
      'The bioprocesses are served to anybody, because the route of that view is exempt from the login.',
    wrap: lenient((_, __, call) => viewOf(call) === 'v_bioprocesses'),
  },
  {
    id: 'blind-rows-beside-refusal',
    breaks: 'REQ-AUTH-2',
    defect: 'A wrong token gets 401, but the statement runs and its rows are in the body.',
    wrap: remembering(
      () => ({ valid: '' }),
      async (state, call, next) => {
        const given = authorization(call)
        if (!state.valid || given === state.valid) {
          const response = await next(call)
          if ((await envelopeOf(response))?.status.state === 'success') state.valid = given
          return response
        }
        const envelope = await envelopeOf(await next(authorized(call, state.valid)))
        return envelope
          ? reply({ ...envelope, status: { state: 'error', message: 'Unauthorized' } }, 401)
          : refusal()
      },
    ),
  },
  {
    id: 'blind-refusal-as-success',
    breaks: 'REQ-AUTH-2',
    defect: 'A request without a token gets the state success.',
    wrap: wrapper(async (call, next) =>
      authorization(call) === ''
        ? reply({ data: [], status: { state: 'success', message: 'Please log in' } })
        : next(call),
    ),
  },
]

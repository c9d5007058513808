import { setTimeout as sleep } from 'node:timers/promises'
import { errorReply, reply, wrapper, type Call, type Envelope, type Mutant } from '../mutant.ts'

const authorizationOf = ({ init }: Call): string | undefined =>
  (init.headers as Record<string, string> | undefined)?.['Authorization']

/**
 * Accepts requests without a valid token. The valid Authorization header is that of the first request.
 *
 * @param accepts whether an invalid header is accepted
 */
export const accepting =
  (accepts: (given: string | undefined, valid: string, call: Call) => boolean): Mutant['wrap'] =>
  (fetch) => {
    let valid: string | undefined
    return wrapper(async (call, next) => {
      const given = authorizationOf(call)
      valid ??= given
      return next(valid === undefined || !accepts(given, valid, call) ? call : authorized(call, valid))
    })(fetch)
  }

/** The same request with another Authorization header. */
const authorized = (call: Call, Authorization: string): Call => {
  const headers = { ...(call.init.headers as Record<string, string>), Authorization }
  return { ...call, init: { ...call.init, headers } }
}

const tokenOf = (authorization = ''): string => authorization.replace(/^\S+\s*/, '')

/** The parts of a JWT. */
const partsOf = (authorization?: string): string[] => tokenOf(authorization).split('.')

/** Longest answer that the cache of a mutant does not keep, in characters. */
const SMALL = 2000

/** Executes the statements that a method other than POST sends, without a look at their token. */
const openTo =
  (method: 'GET' | 'PUT'): Mutant['wrap'] =>
  (fetch) => {
    let valid: string | undefined
    return wrapper(async (call, next) => {
      valid ??= authorizationOf(call)
      if (call.init.method !== method || valid === undefined) return next(call)
      const { origin, pathname, searchParams } = new URL(call.url)
      const body = call.body || JSON.stringify({ statement: searchParams.get('statement') })
      const headers = { 'Content-Type': 'application/json', Authorization: valid }
      return fetch(origin + pathname, { ...call.init, method: 'POST', body, headers })
    })(fetch)
  }

/** Defects of authentication. */
export const authMutants: Mutant[] = [
  {
    id: 'auth-flaky',
    breaks: 'REQ-AUTH-1',
    defect: 'Every third request is refused.',
    wrap: (fetch) => {
      let requests = 0
      return wrapper(async (call, next) =>
        ++requests % 3 === 0 ? errorReply('Unauthorized', 401) : next(call),
      )(fetch)
    },
  },
  {
    id: 'auth-open',
    breaks: 'REQ-AUTH-2',
    defect: 'A request without an Authorization header is accepted.',
    wrap: accepting((given) => given === undefined),
  },
  {
    id: 'auth-empty',
    breaks: 'REQ-AUTH-2',
    defect: 'An empty Authorization header is accepted.',
    wrap: accepting((given) => given?.trim() === ''),
  },
  {
    id: 'auth-scheme-alone',
    breaks: 'REQ-AUTH-2',
    defect: 'An Authorization header without a token is accepted.',
    wrap: accepting((given) => /^Bearer\s*$/.test(given ?? '')),
  },
  {
    id: 'auth-any-token',
    breaks: 'REQ-AUTH-2',
    defect: 'Any token is accepted.',
    wrap: accepting((given) => /^Bearer\s+\S/.test(given ?? '')),
  },
  {
    id: 'auth-one-character',
    breaks: 'REQ-AUTH-2',
    defect: 'Only the length, the start and the end of a token are compared.',
    wrap: accepting((given, valid) => given !== undefined && outline(given) === outline(valid)),
  },
  {
    id: 'auth-prefix',
    breaks: 'REQ-AUTH-2',
    defect: 'The start of a token is accepted.',
    wrap: accepting((given, valid) => tokenOf(given) !== '' && valid.startsWith(given ?? ' ')),
  },
  {
    id: 'auth-last-character',
    breaks: 'REQ-AUTH-2',
    defect: 'The last character of a token is not compared.',
    wrap: accepting(
      (given, valid) => given?.length === valid.length && given.slice(0, -1) === valid.slice(0, -1),
    ),
  },
  {
    id: 'auth-suffix',
    breaks: 'REQ-AUTH-2',
    defect: 'A token that starts with the valid one is accepted.',
    wrap: accepting((given, valid) => given?.startsWith(valid) ?? false),
  },
  {
    id: 'auth-jwt-payload',
    breaks: 'REQ-AUTH-2',
    defect: 'The payload of a JWT may be another than the signed one.',
    wrap: accepting((given, valid) => {
      const [[head, payload = '', signature], [validHead, , validSignature]] = [
        partsOf(given),
        partsOf(valid),
      ]
      return (
        given?.startsWith('Bearer ') === true &&
        head === validHead &&
        payload.startsWith('eyJ') &&
        signature === validSignature
      )
    }),
  },
  {
    id: 'auth-jwt-none',
    breaks: 'REQ-AUTH-2',
    defect: 'A JWT is not verified if its header says so.',
    wrap: accepting((given) => /"alg":"none"/.test(Buffer.from(partsOf(given)[0]!, 'base64url').toString())),
  },
  {
    id: 'auth-any-scheme',
    breaks: 'REQ-AUTH-2',
    defect: 'The token is accepted with any scheme.',
    wrap: accepting((given, valid) => tokenOf(given) === tokenOf(valid)),
  },
  {
    id: 'auth-cached',
    breaks: 'REQ-AUTH-2',
    defect: 'A large answer is kept in a cache, which serves it to every request with the same body.',
    wrap: (fetch) => {
      const kept = new Map<string, string>()
      return wrapper(async (call, next) => {
        const known = kept.get(call.body)
        if (known !== undefined) return reply(known)
        const response = await next(call)
        const text = await response.clone().text()
        if (text.length > SMALL) kept.set(call.body, text)
        return response
      })(fetch)
    },
  },
  {
    id: 'auth-joins-cached',
    breaks: 'REQ-AUTH-2',
    defect: 'A cache of joins serves requests without a token.',
    wrap: (fetch) => {
      const kept = new Map<string, string>()
      return wrapper(async (call, next) => {
        if (!/\bjoin\b/i.test(call.statement ?? '')) return next(call)
        const known = kept.get(call.body)
        if (known !== undefined && authorizationOf(call) === undefined) return reply(known)
        const response = await next(call)
        if (response.status === 200) kept.set(call.body, await response.clone().text())
        return response
      })(fetch)
    },
  },
  {
    id: 'auth-refused-with-rows',
    breaks: 'REQ-AUTH-2',
    defect: 'A request without a valid token is refused, with the rows in data.',
    wrap: (fetch) => {
      let valid: string | undefined
      return wrapper(async (call, next) => {
        const given = authorizationOf(call)
        valid ??= given
        if (given === valid || valid === undefined || call.init.method !== 'POST') return next(call)
        const { data } = (await (await next(authorized(call, valid))).json()) as Envelope
        return reply({ data, status: { state: 'error', message: 'Unauthorized' } }, 401)
      })(fetch)
    },
  },
  {
    id: 'auth-query-token',
    breaks: 'REQ-AUTH-2',
    defect: 'Any token in the query is accepted.',
    wrap: accepting((_, __, { url }) => /[?&]\w*token=/i.test(url)),
  },
  ...Object.entries<[defect: string, accepts: Parameters<typeof accepting>[0]]>({
    'ends-with': [
      'Whatever ends with the valid token is accepted.',
      (given = '', valid) => given.endsWith(tokenOf(valid)),
    ],
    'as-pattern': [
      'A token is a pattern of LIKE.',
      (given = '', valid) => given.includes('%') && valid.startsWith(given.replace(/%.*/, '')),
    ],
    'valid-as-pattern': [
      'The valid token is a regular expression.',
      (given = '', valid) => new RegExp(`^${valid}$`).test(given),
    ],
    undefined: [
      'The words that clients send for a missing token are accepted: undefined and null.',
      (given = '') => /^Bearer (undefined|null)$/.test(given),
    ],
    'other-header': [
      'Any token in the header X-Api-Key is accepted.',
      (_, __, { init }) => 'X-Api-Key' in ((init.headers ?? {}) as object),
    ],
    'body-token': ['A token in the body is not compared.', (_, __, { body }) => body.includes('"api_key"')],
    'long-body-open': ['A body above 2 KB needs no valid token.', (_, __, { body }) => body.length > 2048],
    'chunked-open': [
      'A body in chunks needs no valid token.',
      (_, __, { init }) => init.body instanceof ReadableStream,
    ],
    'text-plain-open': [
      'A request with Content-Type: text/plain needs no valid token.',
      (_, __, { init }) => new Headers(init.headers).get('content-type') === 'text/plain',
    ],
    'proxy-trusted': [
      'A request that says it comes from 127.0.0.1 needs no valid token.',
      (_, __, { init }) => new Headers(init.headers).get('x-forwarded-for') === '127.0.0.1',
    ],
    punctuation: [
      'Tokens are compared by their letters and digits.',
      (given = '', valid) => given.replaceAll(/\W|_/g, '') === valid.replaceAll(/\W|_/g, ''),
    ],
  }).map(([name, [defect, accepts]]): Mutant => ({
    id: `auth-${name}`,
    breaks: 'REQ-AUTH-2',
    defect,
    wrap: accepting(accepts),
  })),
  {
    id: 'auth-slash-open',
    breaks: 'REQ-AUTH-2',
    defect: 'No token is needed at the address without its final slash.',
    wrap: (fetch) =>
      accepting((given, _, { url }) => given === undefined && url.endsWith('statements'))((input, init) =>
        fetch(String(input).replace(/statements$/, 'statements/'), init),
      ),
  },
  ...Object.entries<[defect: string, from: string, to: string]>({
    slashes: ['two slashes', '://([^/]+)//', '://$1/'],
    semicolon: ['a semicolon', ';v=1', ''],
  }).map(([name, [defect, from, to]]): Mutant => ({
    id: `auth-${name}-open`,
    breaks: 'REQ-AUTH-2',
    defect: `No valid token is needed at the address with ${defect}.`,
    wrap: (fetch) =>
      accepting((_, __, { url }) => new RegExp(from).test(url))((input, init) =>
        fetch(String(input).replace(new RegExp(from), to), init),
      ),
  })),
  {
    id: 'auth-of-another-request',
    breaks: 'REQ-AUTH-2',
    defect: 'While a valid request for many rows runs, others need no token.',
    wrap: (fetch) => {
      let running = 0
      return accepting((given, valid) => given !== valid && running > 0)(async (input, init) => {
        if (!String(init?.body).includes('SELECT *')) return fetch(input, init)
        running++
        return fetch(input, init).finally(() => sleep(50).then(() => running--))
      })
    },
  },
  {
    id: 'auth-put-open',
    breaks: 'REQ-AUTH-2',
    defect: 'A PUT is executed without a look at the token.',
    wrap: openTo('PUT'),
  },
  {
    id: 'auth-get-open',
    breaks: 'REQ-AUTH-2',
    defect: 'A GET with the statement in the query is executed without a look at the token.',
    wrap: openTo('GET'),
  },
]

const outline = (authorization: string): string =>
  `${authorization.length} ${authorization.slice(0, 8)} ${authorization.slice(-1)}`

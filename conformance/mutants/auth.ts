import { errorReply, wrapper, type Call, type Mutant } from './mutant.ts'

const authorizationOf = ({ init }: Call): string | undefined =>
  (init.headers as Record<string, string> | undefined)?.['Authorization']

/**
 * Accepts requests without a valid token. The valid Authorization header is that of the first request.
 *
 * @param accepts whether an invalid header is accepted
 */
const accepting =
  (accepts: (given: string | undefined, valid: string, call: Call) => boolean): Mutant['wrap'] =>
  (fetch) => {
    let valid: string | undefined
    return wrapper(async (call, next) => {
      const given = authorizationOf(call)
      valid ??= given
      if (valid === undefined || !accepts(given, valid, call)) return next(call)
      const headers = { ...(call.init.headers as Record<string, string>), Authorization: valid }
      return next({ ...call, init: { ...call.init, headers } })
    })(fetch)
  }

const tokenOf = (authorization = ''): string => authorization.replace(/^\S+\s*/, '')

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
    id: 'auth-any-case',
    breaks: 'REQ-AUTH-2',
    defect: 'Tokens are compared case-insensitively.',
    wrap: accepting((given, valid) => given?.toLowerCase() === valid.toLowerCase()),
  },
  {
    id: 'auth-any-scheme',
    breaks: 'REQ-AUTH-2',
    defect: 'The token is accepted with any scheme.',
    wrap: accepting((given, valid) => tokenOf(given) === tokenOf(valid)),
  },
  {
    id: 'auth-query-token',
    breaks: 'REQ-AUTH-2',
    defect: 'Any token in the query is accepted.',
    wrap: accepting((_, __, { url }) => /[?&]\w*token=/i.test(url)),
  },
]

const outline = (authorization: string): string =>
  `${authorization.length} ${authorization.slice(0, 8)} ${authorization.slice(-1)}`

import { sleep } from '../../../base/until-aborted.ts'
import { contract, view as viewOf, type ViewName } from '../../../schemas/index.ts'
import { PLAIN_STATEMENT, type SendOptions } from '../http/client.ts'
import { ifReadable } from '../not-exercised.ts'
import type { Reply } from '../reply.ts'
import type { Target } from '../target.ts'
import { TransportError } from '../http/transport-error.ts'
import { replyOrClosure } from './closure.ts'
import { joinOfAll } from './join.ts'

/** Pause between invalid tokens, in milliseconds, so that they do not look like an attack. */
const PAUSE_MS = 30

const WRONG = 'Bearer conformance-suite-wrong-token'
const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/**
 * The token with another character at an index. Tokens are opaque: it differs in more than letter case, and in a bit that
 * counts for a decoder of base64 even at the end of a token.
 */
function changedAt(token: string, index: number): string {
  const value = BASE64URL.indexOf(token.charAt(index))
  return token.slice(0, index) + (BASE64URL[value ^ 32] ?? 'x') + token.slice(index + 1)
}

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

function decoded(part: string): object | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString())
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** JWTs without a valid signature, made from a valid one; empty if the token is no JWT. */
function unsignedJwts(token: string): [name: string, token: string][] {
  const [head = '', payload = '', signature = '', ...more] = token.split('.')
  const [header, claims] = [decoded(head), decoded(payload)]
  if (!header || !('alg' in header) || !claims || signature === '' || more.length > 0) return []
  const otherPayload = encoded({ ...claims, conformance_suite: true })
  return [
    ['a JWT with another payload under the same signature', `${head}.${otherPayload}.${signature}`],
    ['a JWT with alg none', `${encoded({ ...header, alg: 'none' })}.${payload}.`],
  ]
}

/** Authorization headers without a valid token. */
export function invalidAuthorizations(token: string): [name: string, authorization: string | null][] {
  // A decoder of base64 does not need the padding and ignores text after it.
  const unpadded = token.replace(/=+$/, '')
  const cut = token.slice(0, Math.floor(unpadded.length * 0.75))
  const altered: [name: string, token: string][] = [
    ['a token with one character changed', changedAt(token, token.length >> 1)],
    ['a token with its last character changed', changedAt(token, unpadded.length - 1)],
    ...(cut === '' ? [] : [['a token cut short', cut] as [string, string]]),
    ...(token === unpadded ? [['a token with a suffix', `${token}-xxx`] as [string, string]] : []),
    ...unsignedJwts(token),
  ]
  return [
    ['no Authorization header', null],
    ['an empty Authorization header', ''],
    ['a scheme without a token', 'Bearer'],
    ['a wrong token', WRONG],
    ...altered.map(([name, text]): [string, string] => [name, `Bearer ${text}`]),
    ['the valid token under the Basic scheme', `Basic ${token}`],
  ]
}

/** A request without a valid token. */
interface Attempt extends SendOptions {
  /** Completes "requests were served with …". */
  to: string
  statement: string
  authorization: string | null
}

/** Attempts that differ from a valid request in more than the Authorization header. */
function otherAttempts({ client: { endpoint } }: Target, large: string, join: string): Attempt[] {
  const statement = PLAIN_STATEMENT
  const read = `${endpoint}?statement=${encodeURIComponent(statement)}`
  return [
    { to: 'a wrong token for a large result that was just served', statement: large, authorization: WRONG },
    { to: 'no token for a join that was served before', statement: join, authorization: null },
    {
      to: 'a wrong token in the query',
      statement,
      authorization: null,
      url: `${endpoint}?access_token=conformance-suite-wrong-token`,
    },
    // The texts that clients send for a missing value.
    { to: 'the token "undefined"', statement, authorization: 'Bearer undefined' },
    { to: 'the token "null"', statement, authorization: 'Bearer null' },
    { to: 'a PUT without a token', statement, authorization: null, method: 'PUT' },
    { to: 'a GET without a token', statement, authorization: null, method: 'GET', url: read },
  ]
}

/**
 * The replies to requests without a valid token; undefined for those that the target refuses by closing the connection. Sends
 * them once, in sequence, and at most twelve before a request with the valid token, so that no account gets locked.
 *
 * @param token the valid token, from which some invalid ones are made
 */
export const repliesWithoutToken = (
  t: Target,
  token: string,
): Promise<[to: string, reply: Reply | undefined][]> =>
  t.once('replies without a token', async () => {
    const replies: [string, Reply | undefined][] = []
    const send = async ({ to, statement, ...options }: Attempt) => {
      await sleep(PAUSE_MS, t.client.options.limits.signal)
      const reply = await replyOrClosure(t, () => t.query(statement, { ...options, retries: 0 }))
      replies.push([to, reply instanceof TransportError ? undefined : reply])
    }
    const { expiredToken } = t.options
    const headers = invalidAuthorizations(token)
    if (expiredToken !== undefined) headers.push(['an expired token', `Bearer ${expiredToken}`])
    // A target may route each view to another service.
    const readable: ViewName[] = []
    for (const name of contract.views) if ((await ifReadable(t.anyRow(name)))?.ok) readable.push(name)
    if (readable.length === 0) readable.push('v_bioprocesses')
    for (const [index, [to, authorization]] of headers.entries()) {
      const { name, columns } = viewOf(readable[index % readable.length]!)
      await send({ to, authorization, statement: `SELECT ${columns[0]!.name} FROM ${name} LIMIT 1` })
    }
    const large = `SELECT * FROM v_bioprocesses LIMIT ${t.rows(200)}`
    await t.query(large)
    const { sql } = await joinOfAll(t)
    for (const attempt of otherAttempts(t, large, sql)) await send(attempt)
    return replies
  })

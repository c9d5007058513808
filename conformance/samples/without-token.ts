import { sleep } from '../../base/until-aborted.ts'
import { contract, view as viewOf, type ViewName } from '../../schemas/index.ts'
import { PLAIN_STATEMENT, type SendOptions } from '../connection/http/client.ts'
import { inParallel } from '../connection/in-parallel.ts'
import { ifReadable } from '../connection/not-exercised.ts'
import type { Reply } from '../connection/http/reply.ts'
import {
  alteredTokens,
  changedAt,
  encoded,
  forgedTokens,
  otherPlaces,
  withTokensInQuery,
  WRONG_TOKEN,
} from '../connection/requests/credentials.ts'
import { inChunks, shapedRequests, type ShapedRequest } from '../connection/requests/request-shapes.ts'
import type { Target } from '../connection/target.ts'
import { TransportError } from '../connection/http/transport-error.ts'
import { replyOrClosure } from './closure.ts'
import { joinOfAll } from './join.ts'

/** Pause between invalid tokens, in milliseconds, so that they do not look like an attack. */
const PAUSE_MS = 30

const WRONG = `Bearer ${WRONG_TOKEN}`

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
    ['a wrong token', WRONG_TOKEN],
    ...altered.map(([name, text]): [string, string] => [name, `Bearer ${text}`]),
    ['the valid token under the Basic scheme', `Basic ${token}`],
  ]
}

/** A request without a valid token. */
type Attempt = ShapedRequest & Pick<SendOptions, 'method'>

/** Attempts that differ from a valid request in more than the Authorization header. */
function otherAttempts({ client: { endpoint } }: Target, large: string, join: string): Attempt[] {
  const statement = PLAIN_STATEMENT
  const read = `${endpoint}?statement=${encodeURIComponent(statement)}`
  return [
    {
      to: 'a wrong token for a large result that was just served',
      statement: large,
      authorization: WRONG_TOKEN,
    },
    { to: 'no token for a join that was served before', statement: join, authorization: null },
    {
      to: 'wrong tokens in the query',
      statement,
      authorization: null,
      url: withTokensInQuery(endpoint),
    },
    // The texts that clients send for a missing value.
    { to: 'the token "undefined"', statement, authorization: 'Bearer undefined' },
    { to: 'the token "null"', statement, authorization: 'Bearer null' },
    { to: 'a PUT without a token', statement, authorization: null, method: 'PUT' },
    { to: 'a GET without a token', statement, authorization: null, method: 'GET', url: read },
  ]
}

export type Answered = [to: string, reply: Reply | undefined]

/** The reply to an attempt; undefined if the target refuses it by closing the connection. */
async function answerTo(
  t: Target,
  { to, statement = PLAIN_STATEMENT, members, isChunked, ...attempt }: Attempt,
  pauseMs = PAUSE_MS,
): Promise<Answered> {
  await sleep(pauseMs, t.client.options.limits.signal)
  const body = JSON.stringify({ ...members, statement })
  const options = { ...attempt, retries: 0, ...(isChunked && { fetch: inChunks(t.client.options.fetch) }) }
  const reply = await replyOrClosure(t, () => t.send(body, options))
  return [to, reply instanceof TransportError ? undefined : reply]
}

/** The replies to tokens made from the valid one, to wrong ones in other places, or in requests of other shapes; at most twelve. */
export async function repliesToCredentials(
  t: Target,
  token: string,
  from: 'token' | 'places' | 'shapes',
): Promise<Answered[]> {
  const { endpoint } = t.client
  const tokens = [...alteredTokens(token), ...forgedTokens]
  const attempts = {
    token: () => tokens.map(([to, text]) => ({ to, authorization: `Bearer ${text}` })),
    places: () => otherPlaces(endpoint),
    shapes: () => shapedRequests(endpoint, token, PLAIN_STATEMENT),
  }
  return answersTo(t, attempts[from]())
}

/** The replies to some attempts, a few at once, in their order. */
async function answersTo(t: Target, attempts: readonly Attempt[]): Promise<Answered[]> {
  const replies: Answered[] = []
  await inParallel(attempts, t.options.concurrency ?? 1, async (attempt, index) => {
    replies[index] = await answerTo(t, attempt)
  })
  return replies
}

/** The replies to a wrong token and to none while a valid request for many rows is in flight, and to that request. */
export const repliesBesideValid = (t: Target): Promise<{ wrong: Answered[]; valid: Reply }> =>
  t.once('replies beside a valid token', async () => {
    const statement = largeStatement(t)
    const beside = 'while a valid request was in flight'
    const [valid, ...wrong] = await Promise.all([
      t.query(statement),
      answerTo(
        t,
        { to: `a wrong token for the same statement ${beside}`, authorization: WRONG, statement },
        0,
      ),
      answerTo(t, { to: `no token ${beside}`, authorization: null }, 0),
    ])
    return { wrong, valid }
  })

const largeStatement = (t: Target): string => `SELECT * FROM v_bioprocesses LIMIT ${t.rows(200)}`

/**
 * The replies to requests without a valid token; undefined for those that the target refuses by closing the connection. Sends
 * them once, and at most twelve before a request with the valid token, so that no account gets locked.
 *
 * @param token the valid token, from which some invalid ones are made
 */
export const repliesWithoutToken = (t: Target, token: string): Promise<Answered[]> =>
  t.once('replies without a token', async () => {
    const { expiredToken } = t.options
    const headers = invalidAuthorizations(token)
    if (expiredToken !== undefined) headers.push(['an expired token', `Bearer ${expiredToken}`])
    // A target may route each view to another service.
    const readable: ViewName[] = []
    for (const name of contract.views) if ((await ifReadable(t.anyRow(name)))?.ok) readable.push(name)
    if (readable.length === 0) readable.push('v_bioprocesses')
    const invalid = headers.map(([to, authorization], index): Attempt => {
      const { name, columns } = viewOf(readable[index % readable.length]!)
      return { to, authorization, statement: `SELECT ${columns[0]!.name} FROM ${name} LIMIT 1` }
    })
    const replies = await answersTo(t, invalid)
    const { sql } = await joinOfAll(t)
    // It serves the large result.
    await repliesBesideValid(t)
    return [...replies, ...(await answersTo(t, otherAttempts(t, largeStatement(t), sql)))]
  })

import { deniesToken } from '../connection/http/token-refusals.ts'
import { check, compared, fail, notExercised, wrongReply, type Check, type Finding } from './check.ts'
import { PLAIN_STATEMENT } from '../connection/http/client.ts'
import type { Exchange } from '../connection/http/exchange.ts'
import { describeReply, type Reply } from '../connection/http/reply.ts'
import {
  repliesBesideValid,
  repliesToCredentials,
  repliesWithoutToken,
  type Answered,
} from '../samples/without-token.ts'
import type { Target } from '../connection/target.ts'

/** Repetitions of the plain statement, to find a token that works only sometimes. */
const REPETITIONS = 2

/** A statement without parentheses and semicolons only reads rows, so it can be repeated. */
const PLAIN_READ = /^\{"statement":"SELECT [\w\s,.*=<>']*"\}$/

const isRefusedToken = ({ response }: Exchange): boolean => response?.status === 401

/** Whether a reply indicates a rate limit, which is permitted. */
const limitsRate = ({ response }: Exchange): boolean =>
  [...response!.headers.keys()].some((name) => name === 'retry-after' || /^(x-)?ratelimit/.test(name))

/**
 * Repeats refused reads with the same token. The client records which of them are served now; with an expired token none
 * is.
 */
async function repeatRefused(t: Target): Promise<void> {
  const refused = t.client.refusals.refused
    .filter(isRefusedToken)
    .filter(({ request }) => PLAIN_READ.test(request.body))
  const distinct = new Map(refused.map((exchange) => [exchange.request.body, exchange]))
  for (const exchange of [...distinct.values()].slice(0, REPETITIONS)) await t.client.sendAgain(exchange)
}

const NO_TOKEN = 'the run was started without a token (--no-auth)'

export const authChecks: Check[] = [
  check({
    id: 'auth.valid-token',
    requirement: 'REQ-AUTH-1',
    title: 'serve a request with a valid bearer token',
    killedBy: ['auth-flaky'],
    phase: 'last',
    run: async (t) => {
      if (t.client.token === null) return notExercised(NO_TOKEN)
      const replies: Reply[] = []
      for (let n = 0; n < REPETITIONS; n++) replies.push(await t.query(PLAIN_STATEMENT))
      await repeatRefused(t)
      const { servedAgain } = t.client.refusals
      const flaky = servedAgain.find((exchange) => isRefusedToken(exchange) && !limitsRate(exchange))
      if (flaky)
        return fail({
          message: `the token was refused for ${servedAgain.length} requests that were later served unchanged`,
          expected: 'a valid token is always accepted',
          actual: `HTTP ${flaky.response!.status}, later a success`,
          exchanges: [flaky],
        })
      const served = replies.filter(
        ({ envelope, status }) => envelope && !deniesToken(status) && status !== 403,
      )
      const last = replies.at(-1)!
      if (served.length === 0)
        return notExercised(`a plain statement got ${describeReply(last)}`, {
          exchanges: [last.exchange],
        })
      return compared(served.length, 'further request', 'served, and no refusal in the run was inconsistent')
    },
  }),
  check({
    id: 'auth.invalid-token',
    requirement: 'REQ-AUTH-2',
    title: 'NOT serve a request without a valid bearer token',
    killedBy: [
      'auth-open',
      'auth-empty',
      'auth-scheme-alone',
      'auth-any-token',
      'auth-one-character',
      'auth-last-character',
      'auth-prefix',
      'auth-suffix',
      'auth-jwt-payload',
      'auth-jwt-none',
      'auth-any-scheme',
      'auth-cached',
      'auth-joins-cached',
      'auth-undefined',
      'auth-refused-with-rows',
      'auth-query-token',
      'auth-put-open',
      'auth-get-open',
    ],
    phase: 'last',
    // auth.valid-token comes first.
    run: (t) => refusing(t, (token) => repliesWithoutToken(t, token), false),
  }),
  check({
    id: 'auth.altered-token',
    requirement: 'REQ-AUTH-2',
    title: 'NOT take a token for the valid one that is changed in front, or is a pattern',
    killedBy: ['auth-ends-with', 'auth-as-pattern', 'auth-valid-as-pattern'],
    phase: 'last',
    run: (t) => refusing(t, (token) => repliesToCredentials(t, token, 'token')),
  }),
  check({
    id: 'auth.beside-valid',
    requirement: 'REQ-AUTH-2',
    title: 'NOT serve a wrong token while a valid request is in flight',
    killedBy: ['auth-of-another-request'],
    phase: 'last',
    run: (t) => refusing(t, async () => (await repliesBesideValid(t)).wrong, false),
  }),
  check({
    id: 'auth.other-places',
    requirement: 'REQ-AUTH-2',
    title: 'NOT serve a request whose tokens are wrong and in other places',
    killedBy: ['auth-other-header', 'auth-body-token', 'auth-slash-open'],
    phase: 'last',
    run: (t) => refusing(t, (token) => repliesToCredentials(t, token, 'places'), false),
  }),
  check({
    id: 'auth.other-shapes',
    requirement: 'REQ-AUTH-2',
    title: 'NOT serve a wrong token in a request of another shape, or the valid one without its punctuation',
    killedBy: [
      'auth-long-body-open',
      'auth-chunked-open',
      'auth-text-plain-open',
      'auth-proxy-trusted',
      'auth-slashes-open',
      'auth-semicolon-open',
      'auth-punctuation',
    ],
    phase: 'last',
    run: (t) => refusing(t, (token) => repliesToCredentials(t, token, 'shapes')),
  }),
]

/**
 * Fails if one of some requests without a valid token is served.
 *
 * @param isFirst whether a valid request comes first, so that no account gets locked
 */
async function refusing(
  t: Target,
  ask: (token: string) => Promise<Answered[]>,
  isFirst = true,
): Promise<Finding> {
  const { token } = t.client
  if (token === null) return notExercised(NO_TOKEN)
  const control = isFirst ? await t.query(PLAIN_STATEMENT) : await t.baseline()
  if (!control.ok)
    return notExercised(`the valid token gets ${describeReply(control)}`, {
      exchanges: [control.exchange],
    })
  const replies = await ask(token)
  const served = replies.flatMap(([to, reply]) =>
    reply && (reply.ok || reply.data.length > 0) ? [{ to, reply }] : [],
  )
  const [first] = served
  if (first)
    return wrongReply(
      first.reply,
      `requests were served with ${[...new Set(served.map(({ to }) => to))].join(', ')}`,
      'no rows and no state "success"',
    )
  const closed = replies.filter(([, reply]) => !reply).length
  const how = closed > 0 ? `, ${closed} of them by closing the connection` : ''
  return compared(replies.length, 'request', `refused without a valid token${how}`)
}

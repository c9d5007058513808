import { deniesToken } from '../connection/token-refusals.ts'
import { check, compared, fail, notExercised, type Check } from './check.ts'
import type { Exchange } from '../connection/exchange.ts'
import { describeReply, type Reply } from '../connection/reply.ts'
import type { Target } from '../connection/target.ts'

/** The plainest statement, repeated: a token that works by chance shows itself without a long run. */
const REPETITIONS = 5
/** Pause between wrong tokens, in milliseconds: they should not look like an attack. */
const PAUSE_MS = 100

const PLAIN = 'SELECT id FROM v_bioprocesses LIMIT 1'
/** Without parentheses and semicolons: reads nothing but rows, so it may be sent again. */
const PLAIN_READ = /^\{"statement":"SELECT [\w\s,.*=<>']*"\}$/

const isRefusedToken = ({ response }: Exchange): boolean => response?.status === 401

/** A target that says when to come again limits the rate, which it may. */
const limitsRate = ({ response }: Exchange): boolean =>
  [...response!.headers.keys()].some((name) => name === 'retry-after' || /^(x-)?ratelimit/.test(name))

/**
 * Sends what was refused before once more, where that is harmless, with the token it was refused with: one that
 * has expired stays refused. The client notes what is served now.
 */
async function tryAgain(t: Target): Promise<void> {
  const refused = t.client.refusals.refused
    .filter(isRefusedToken)
    .filter(({ request }) => PLAIN_READ.test(request.body))
  const distinct = new Map(refused.map((exchange) => [exchange.request.body, exchange]))
  for (const exchange of [...distinct.values()].slice(0, REPETITIONS)) await t.client.sendAgain(exchange)
}

/** Authorization headers that hold no valid token. */
export function invalidAuthorizations(token: string): [name: string, authorization: string | null][] {
  const middle = token.length >> 1
  const other = /x/i.test(token.charAt(middle)) ? 'y' : 'x'
  const cut = token.slice(0, Math.floor(token.length * 0.75))
  const upper = token.toUpperCase()
  return [
    ['no Authorization header', null],
    ['an empty Authorization header', ''],
    ['a scheme without a token', 'Bearer'],
    ['a wrong token', 'Bearer conformance-suite-wrong-token'],
    [
      'a token with one character changed',
      `Bearer ${token.slice(0, middle)}${other}${token.slice(middle + 1)}`,
    ],
    ...(cut === '' ? [] : [['a token cut short', `Bearer ${cut}`] as [string, string]]),
    ...(upper === token ? [] : [['a token in upper case', `Bearer ${upper}`] as [string, string]]),
    ['the valid token under the Basic scheme', `Basic ${token}`],
  ]
}

/**
 * The replies to requests without a valid token: one each, one after the other, no more than twelve in a run,
 * so that no account gets locked. Asked once.
 *
 * @param token the valid one, from which some wrong ones are made
 */
export const repliesWithoutToken = (t: Target, token: string): Promise<[to: string, reply: Reply][]> =>
  t.once('replies without a token', async () => {
    const query = `${t.client.endpoint}?access_token=conformance-suite-wrong-token`
    const { expiredToken } = t.options
    const requests = [
      ...invalidAuthorizations(token).map(([to, authorization]) => ({ to, authorization })),
      ...(expiredToken === undefined
        ? []
        : [{ to: 'an expired token', authorization: `Bearer ${expiredToken}` }]),
      { to: 'a wrong token in the query', authorization: null, url: query },
    ]
    const replies: [string, Reply][] = []
    for (const { to, ...options } of requests) {
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
      replies.push([to, await t.query(PLAIN, { ...options, retries: 0 })])
    }
    return replies
  })

const NO_TOKEN = 'the run was started without a token (--no-auth)'

export const authChecks: Check[] = [
  check({
    id: 'auth.valid-token',
    requirement: 'REQ-AUTH-1',
    title: 'MUST serve a request with a valid bearer token',
    killedBy: ['auth-flaky'],
    lane: 'last',
    run: async (t) => {
      if (t.client.token === null) return notExercised(NO_TOKEN)
      const replies: Reply[] = []
      for (let n = 0; n < REPETITIONS; n++) replies.push(await t.query(PLAIN))
      await tryAgain(t)
      const { refused, servedAgain } = t.client.refusals
      const flaky = servedAgain.find((exchange) => isRefusedToken(exchange) && !limitsRate(exchange))
      if (flaky)
        return fail({
          message: `the token was refused ${refused.length} times in the run, and accepted again for the same request`,
          expected: 'a valid token is served every time',
          actual: `HTTP ${flaky.response!.status}, later a success`,
          exchanges: [flaky],
        })
      const served = replies.filter(
        ({ envelope, status }) => envelope && !deniesToken(status) && status !== 403,
      )
      const last = replies.at(-1)!
      if (served.length === 0)
        return notExercised(`the plainest statement was answered ${describeReply(last)}`, {
          exchanges: [last.exchange],
        })
      return compared(served.length, 'further request', 'served, and no refusal in the run was taken back')
    },
  }),
  check({
    id: 'auth.invalid-token',
    requirement: 'REQ-AUTH-2',
    title: 'MUST NOT serve a request without a valid bearer token',
    killedBy: [
      'auth-open',
      'auth-empty',
      'auth-scheme-alone',
      'auth-any-token',
      'auth-one-character',
      'auth-prefix',
      'auth-any-case',
      'auth-any-scheme',
      'auth-query-token',
    ],
    lane: 'last',
    run: async (t) => {
      const { token } = t.client
      if (token === null) return notExercised(NO_TOKEN)
      const control = await t.query(PLAIN)
      if (!control.ok)
        return notExercised(`by now the valid token is answered ${describeReply(control)}`, {
          exchanges: [control.exchange],
        })
      const replies = await repliesWithoutToken(t, token)
      const served = replies.filter(([, reply]) => reply.ok || reply.data.length > 0)
      const [first] = served
      if (!first) return compared(replies.length, 'request', 'no valid token, no rows')
      return fail({
        message: `served in spite of ${served.map(([to]) => to).join(', ')}`,
        expected: 'no rows and no state "success"',
        actual: describeReply(first[1]),
        exchanges: [first[1].exchange],
      })
    },
  }),
]

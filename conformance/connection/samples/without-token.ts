import { PLAIN_STATEMENT } from '../client.ts'
import type { Reply } from '../reply.ts'
import type { Target } from '../target.ts'

/** Pause between invalid tokens, in milliseconds, so that they do not look like an attack. */
const PAUSE_MS = 100

/** Authorization headers without a valid token. */
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
 * The replies to requests without a valid token. Sends them once, in sequence, and at most twelve, so that no account
 * gets locked.
 *
 * @param token the valid token, from which some invalid ones are made
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
      replies.push([to, await t.query(PLAIN_STATEMENT, { ...options, retries: 0 })])
    }
    return replies
  })

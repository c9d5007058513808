import { deniesToken } from '../connection/token-refusals.ts'
import { views } from '../../schemas/index.ts'
import { repliesWithoutToken } from '../connection/samples/without-token.ts'
import { readRelationMessage } from '../comparisons/relation-message.ts'
import { probe, type Probe, type Seen } from '../open-points/probe.ts'
import { describeReply, type Reply } from '../connection/reply.ts'
import { permissionDenied, type Target } from '../connection/target.ts'
import { bodyKind, refusalKind } from './bodies.ts'
import { counted, listed, theOne } from './reading.ts'

/** The reply to one of the requests without a valid token, which REQ-AUTH-2 sends; nothing without a token. */
async function replyTo(t: Target, request: string): Promise<Reply | undefined> {
  const { token } = t.client
  if (token === null) return undefined
  const replies = await repliesWithoutToken(t, token)
  const reply = replies.find(([to]) => to === request)?.[1]
  return reply?.ok ? undefined : reply
}

function refused(reply: Reply | undefined): Seen | undefined {
  if (!reply) return undefined
  const redirect = reply.status === 302 ? '302-login' : undefined
  return { variant: redirect ?? refusalKind(reply), seen: describeReply(reply) }
}

function body(reply: Reply | undefined): Seen | undefined {
  if (!reply) return undefined
  const kind = bodyKind(reply)
  return { variant: kind, seen: kind ?? 'another kind of body' }
}

/** How single views are refused, and whether the token lasted to the end of the run. */
async function permission(t: Target): Promise<Seen | undefined> {
  const { refused, servedAgain } = t.client.refusals
  const expired = refused.filter(
    (exchange) => deniesToken(exchange.response!.status) && !servedAgain.includes(exchange),
  )
  if (expired.length > 0)
    return {
      variant: '401-mid-run',
      seen: `${expired[0]!.response!.status} for ${counted(expired.length, 'request')} with the valid token`,
    }
  const replies = await Promise.all(views.map(async ({ name }) => ({ name, reply: await t.anyRow(name) })))
  const denied = replies.filter(({ reply }) => !reply.ok)
  if (denied.length === 0)
    return {
      variant: 'none',
      seen: 'every view was read and the token was valid to the end; rows may be filtered',
    }
  const every = (test: (name: string, reply: Reply) => boolean) =>
    denied.every(({ name, reply }) => test(name, reply))
  const variant = theOne({
    '403': every((_, { status }) => status === 403),
    'permission-denied': every((_, reply) => reply.status !== 403 && permissionDenied(reply)),
    'view-hidden': every((name, { message }) => readRelationMessage(message, name).as !== 'wrong'),
  })
  return { variant, seen: `refused: ${listed(denied.map(({ name }) => name))}` }
}

/** Nothing is provoked: what the run met anyway, and what headers announce. */
async function rate({ client: { limited, refusals, statements } }: Target): Promise<Seen | undefined> {
  const names = (pattern: RegExp) =>
    limited.some(({ response }) => [...response!.headers.keys()].some((name) => pattern.test(name)))
  const met = limited.filter(({ response }) => response!.status === 429)
  const headers = { '429-ratelimit': names(/^ratelimit/), '429-x-ratelimit': names(/^x-ratelimit/) }
  if (met.length > 0) {
    const retry = met.some(({ response }) => response!.headers.has('retry-after'))
    const variant = theOne(headers) ?? (retry ? '429-retry-after' : undefined)
    return { variant, seen: `429 for ${met.length} of ${statements} requests` }
  }
  if (headers['429-ratelimit'] || headers['429-x-ratelimit'])
    return { seen: `a limit is announced in headers; it was not met in ${statements} requests` }
  if (limited.length > 0)
    return { seen: `503 for ${limited.length} of ${statements} requests, for a limit or for load` }
  if (refusals.servedAgain.some(({ response }) => response!.status === 403))
    return { variant: '403', seen: '403 for requests that were served at another time' }
  return { variant: 'none', seen: `none was met in ${statements} requests` }
}

const after = 'auth.invalid-token'

export const authProbes: Probe[] = [
  probe({
    silence: 'NS-31',
    after,
    observe: async (t) => refused(await replyTo(t, 'no Authorization header')),
  }),
  probe({ silence: 'NS-32', after, observe: async (t) => refused(await replyTo(t, 'a wrong token')) }),
  probe({ silence: 'NS-34', after, observe: async (t) => body(await replyTo(t, 'a wrong token')) }),
  probe({ silence: 'NS-21', after: 'auth.valid-token', observe: permission }),
  probe({ silence: 'NS-35', after: 'auth.valid-token', observe: rate }),
]

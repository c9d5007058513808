import { counted } from '../../../base/text/counted.ts'
import { views, type ViewName } from '../../../schemas/index.ts'
import { readRelationMessage } from '../../comparisons/relation-message.ts'
import type { Exchange } from '../../connection/http/exchange.ts'
import type { Reply } from '../../connection/http/reply.ts'
import { permissionDenied, type Target } from '../../connection/target.ts'
import { deniesToken } from '../../connection/http/token-refusals.ts'
import { defineProbe, undetectable } from '../probe.ts'
import { listed } from '../reading.ts'

interface Denied {
  name: ViewName
  reply: Reply
}

interface Permissions {
  /** Requests with the valid token that were refused and not served later. */
  expired: readonly Exchange[]
  /** Views that cannot be read; not looked at where the token has expired. */
  denied: readonly Denied[]
}

function expiredIn({ client }: Target): Exchange[] {
  const { refused, servedAgain } = client.refusals
  return refused.filter(
    (exchange) => deniesToken(exchange.response!.status) && !servedAgain.includes(exchange),
  )
}

async function deniedViews(t: Target): Promise<Denied[]> {
  const replies = await Promise.all(views.map(async ({ name }) => ({ name, reply: await t.anyRow(name) })))
  return replies.filter(({ reply }) => !reply.ok)
}

const everyDenied =
  (test: (denied: Denied) => boolean) =>
  ({ denied }: Permissions) =>
    denied.length > 0 && denied.every(test)

export const probe = defineProbe('auth.permission', {
  after: 'auth.valid-token',
  read: async (t: Target): Promise<Permissions> => {
    const expired = expiredIn(t)
    return { expired, denied: expired.length > 0 ? [] : await deniedViews(t) }
  },
  seen: ({ expired, denied }) => {
    const [first] = expired
    if (first)
      return `${first.response!.status} for ${counted(expired.length, 'request')} with the valid token`
    return denied.length > 0
      ? `refused: ${listed(denied.map(({ name }) => name))}`
      : 'every view was read and the token was valid to the end; rows may be filtered'
  },
  variants: {
    none: ({ expired, denied }) => expired.length === 0 && denied.length === 0,
    '401-mid-run': ({ expired }) => expired.length > 0,
    '403': everyDenied(({ reply }) => reply.status === 403),
    'permission-denied': everyDenied(({ reply }) => reply.status !== 403 && permissionDenied(reply)),
    'rows-filtered': undetectable('looks like none: the suite does not know which rows were left out'),
    'view-hidden': everyDenied(({ name, reply }) => readRelationMessage(reply.message, name).as !== 'wrong'),
  },
})

import { describeReply } from '../../connection/http/reply.ts'
import type { Target } from '../../connection/target.ts'
import { defineProbe } from '../probe.ts'
import { failedInEnvelope, hasStatus, refusalOf } from '../replies.ts'

export const probe = defineProbe('auth.invalid', {
  after: 'auth.invalid-token',
  read: (t: Target) => refusalOf(t, 'a wrong token'),
  seen: describeReply,
  variants: {
    '401': hasStatus(401),
    '403': hasStatus(403),
    '200-envelope': failedInEnvelope,
  },
})

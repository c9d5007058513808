import { describeReply } from '../../connection/http/reply.ts'
import type { Target } from '../../connection/target.ts'
import { defineProbe } from '../probe.ts'
import { failedInEnvelope, hasStatus, refusalOf } from '../replies.ts'

export const probe = defineProbe('auth.missing', {
  after: 'auth.invalid-token',
  read: (t: Target) => refusalOf(t, 'no Authorization header'),
  seen: describeReply,
  variants: {
    '401': hasStatus(401),
    '403': hasStatus(403),
    '400': hasStatus(400),
    '302-login': hasStatus(302),
    '200-envelope': failedInEnvelope,
  },
})

import { describeReply } from '../../connection/http/reply.ts'
import { withoutStatement } from '../../samples/outcomes.ts'
import type { Target } from '../../connection/target.ts'
import { defineProbe } from '../probe.ts'
import { failedInEnvelope, hasStatus, unlessServed } from '../replies.ts'

export const probe = defineProbe('http.bad-request', {
  read: async (t: Target) => unlessServed(await withoutStatement(t)),
  seen: (reply) => `{}: ${describeReply(reply)}`,
  variants: {
    '400': hasStatus(400),
    '422': hasStatus(422),
    '200-envelope': failedInEnvelope,
    '500': hasStatus(500),
  },
})

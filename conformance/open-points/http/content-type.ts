import { PLAIN_STATEMENT } from '../../connection/http/client.ts'
import { describeReply } from '../../connection/http/reply.ts'
import type { Target } from '../../connection/target.ts'
import { defineProbe } from '../probe.ts'
import { refusedWith } from '../replies.ts'

export const probe = defineProbe('http.content-type', {
  read: (t: Target) => t.query(PLAIN_STATEMENT, { headers: { 'Content-Type': 'text/plain' } }),
  seen: (reply) => `text/plain: ${describeReply(reply)}`,
  variants: {
    ignored: ({ ok }) => ok,
    '415': refusedWith(415),
    '400': refusedWith(400),
    '422': refusedWith(422),
  },
})

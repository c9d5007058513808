import { PLAIN_STATEMENT } from '../../connection/http/client.ts'
import { describeReply } from '../../connection/http/reply.ts'
import type { Target } from '../../connection/target.ts'
import { defineProbe } from '../probe.ts'
import { refusedWith } from '../replies.ts'

export const probe = defineProbe('http.no-slash', {
  read: (t: Target) => t.query(PLAIN_STATEMENT, { url: t.client.endpoint.replace(/\/$/, '') }),
  seen: (reply) => `without the slash: ${describeReply(reply)}`,
  variants: {
    '200': ({ ok }) => ok,
    '404': refusedWith(404),
    '307': refusedWith(307),
    '301': refusedWith(301),
  },
})

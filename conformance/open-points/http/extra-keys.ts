import { describeReply } from '../../connection/http/reply.ts'
import type { Target } from '../../connection/target.ts'
import { replyUsing } from '../optional-features.ts'
import { defineProbe } from '../probe.ts'
import { refusedWith } from '../replies.ts'

export const probe = defineProbe('http.extra-keys', {
  read: (t: Target) => replyUsing(t, 'extra-key'),
  seen: (reply) => `with a further key: ${describeReply(reply)}`,
  variants: {
    ignored: ({ ok }) => ok,
    '400': refusedWith(400),
    '422': refusedWith(422),
  },
})

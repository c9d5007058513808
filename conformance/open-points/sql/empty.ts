import { describeReply } from '../../connection/http/reply.ts'
import type { Target } from '../../connection/target.ts'
import { defineProbe } from '../probe.ts'
import { refusedWith } from '../replies.ts'

export const probe = defineProbe('sql.empty', {
  read: (t: Target) => t.query(''),
  seen: describeReply,
  variants: {
    success: ({ ok }) => ok,
    error: ({ envelope, status }) => envelope?.state === 'error' && status !== 400 && status !== 422,
    '400': refusedWith(400),
    '422': refusedWith(422),
  },
})

import { readReply } from '../../connection/http/reply.ts'
import { overrun } from '../../samples/time-limit.ts'
import type { Target } from '../../connection/target.ts'
import { defineProbe } from '../probe.ts'
import { bodyInWords, hasBody } from '../replies.ts'

export const probe = defineProbe('timeout.body', {
  after: 'time.limit',
  read: async (t: Target) => {
    const { long } = await overrun(t)
    return long.response?.status === 504 ? readReply(long) : undefined
  },
  seen: bodyInWords,
  variants: {
    html: hasBody('html'),
    message: hasBody('message'),
    envelope: hasBody('envelope'),
    'problem-json': hasBody('problem-json'),
    empty: hasBody('empty'),
  },
})

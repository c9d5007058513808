import type { Target } from '../../connection/target.ts'
import { defineProbe } from '../probe.ts'
import { bodyInWords, hasBody, refusalOf } from '../replies.ts'

export const probe = defineProbe('auth.body', {
  after: 'auth.invalid-token',
  read: (t: Target) => refusalOf(t, 'a wrong token'),
  seen: bodyInWords,
  variants: {
    detail: hasBody('detail'),
    message: hasBody('message'),
    'error-object': hasBody('error-object'),
    'problem-json': hasBody('problem-json'),
    html: hasBody('html'),
    empty: hasBody('empty'),
    envelope: hasBody('envelope'),
  },
})

import type { Target } from '../../connection/target.ts'
import { replyUsing } from '../optional-features.ts'
import { defineProbe } from '../probe.ts'

export const probe = defineProbe('sql.semicolon', {
  read: (t: Target) => replyUsing(t, 'semicolon'),
  seen: ({ ok }) => (ok ? 'accepted' : 'refused'),
  variants: {
    accepted: ({ ok }) => ok,
    error: ({ ok }) => !ok,
  },
})

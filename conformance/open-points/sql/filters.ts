import type { Target } from '../../connection/target.ts'
import { replyUsing } from '../optional-features.ts'
import { defineProbe } from '../probe.ts'

export const probe = defineProbe('sql.filters', {
  read: (t: Target) => replyUsing(t, 'filter'),
  seen: ({ ok }) => (ok ? 'accepted' : 'refused'),
  variants: {
    accepted: ({ ok }) => ok,
    refused: ({ ok }) => !ok,
  },
})

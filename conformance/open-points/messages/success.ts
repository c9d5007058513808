import type { Target } from '../../connection/target.ts'
import { defineProbe } from '../probe.ts'
import { byWording, quoted } from '../replies.ts'

export const probe = defineProbe('messages.success', {
  read: async (t: Target) => {
    const { ok, data, message } = await t.baseline()
    return ok && data.length > 0 ? message : undefined
  },
  seen: quoted,
  variants: byWording({
    empty: /^\s*$/,
    success: /^success\.?$/i,
    executed: /^statement executed successfully\.?$/i,
    'row-count': /^\D*\d+ (row|record|result)s?\b|^\d+$/i,
  }),
})

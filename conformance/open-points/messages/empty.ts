import type { Target } from '../../connection/target.ts'
import { defineProbe } from '../probe.ts'
import { byWording, quoted } from '../replies.ts'

export const probe = defineProbe('messages.empty', {
  read: async (t: Target) => {
    const { ok, message } = await t.emptyDelta()
    return ok ? message : undefined
  },
  seen: quoted,
  variants: byWording({
    'ran-no-results': /\bran successfully but returned no results\b/i,
    'no-results': /^no results\.?$/i,
  }),
})

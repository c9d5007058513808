import type { Target } from '../../connection/target.ts'
import { defineProbe } from '../probe.ts'
import { hasStatus } from '../replies.ts'

export const probe = defineProbe('http.success', {
  read: async (t: Target) => {
    const reply = await t.baseline()
    return reply.ok ? reply : undefined
  },
  seen: ({ status }) => `HTTP ${status}`,
  variants: {
    '200': hasStatus(200),
    '201': hasStatus(201),
    '202': hasStatus(202),
    '207': hasStatus(207),
  },
})

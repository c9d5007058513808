import { invalidJson } from '../../samples/outcomes.ts'
import type { Target } from '../../connection/target.ts'
import { defineProbe } from '../probe.ts'
import { hasStatus, unlessServed } from '../replies.ts'

export const probe = defineProbe('http.json-error', {
  read: async (t: Target) => unlessServed(await invalidJson(t, 'single-quotes')),
  seen: ({ status }) => `HTTP ${status} for a body that is not JSON`,
  variants: {
    '200': hasStatus(200),
    '400': hasStatus(400),
    '415': hasStatus(415),
    // The variant is the status together with the body of a framework.
    '422': ({ status, envelope }) => status === 422 && !envelope,
    '500': hasStatus(500),
  },
})

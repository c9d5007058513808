import { unknownView } from '../../samples/outcomes.ts'
import type { Target } from '../../connection/target.ts'
import { defineProbe } from '../probe.ts'
import { hasStatus, unlessServed } from '../replies.ts'

export const probe = defineProbe('http.unknown-view', {
  read: async (t: Target) => unlessServed(await unknownView(t)),
  seen: ({ status }) => `HTTP ${status} for an unknown view`,
  variants: {
    '200': hasStatus(200),
    '400': hasStatus(400),
    '404': hasStatus(404),
    '422': hasStatus(422),
    '500': hasStatus(500),
  },
})

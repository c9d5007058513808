import { divisionByZero, unknownColumn } from '../../samples/outcomes.ts'
import type { Reply } from '../../connection/http/reply.ts'
import type { Target } from '../../connection/target.ts'
import { defineProbe } from '../probe.ts'
import { hasStatus } from '../replies.ts'

interface Failure {
  status: number
  of: string
}

const failure = ({ ok, status }: Reply, of: string): Failure | undefined => (ok ? undefined : { status, of })

export const probe = defineProbe('http.exception', {
  read: async (t: Target) =>
    failure(await divisionByZero(t), '1/0') ?? failure(await unknownColumn(t), 'an unknown column'),
  seen: ({ status, of }) => `HTTP ${status} for ${of}`,
  variants: {
    '200': hasStatus(200),
    '400': hasStatus(400),
    '500': hasStatus(500),
    '502': hasStatus(502),
  },
})

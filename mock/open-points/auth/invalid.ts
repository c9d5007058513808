import { implement } from '../implement.ts'
import type { TokenAnswer } from '../kinds.ts'

export const invalidTokenAnswer = implement<'auth.invalid', TokenAnswer>('auth.invalid', {
  401: { status: 401, challenges: true },
  403: { status: 403 },
  '200-envelope': { status: 200, isEnvelope: true },
})

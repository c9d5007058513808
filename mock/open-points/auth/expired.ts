import { implement } from '../implement.ts'
import type { TokenAnswer } from '../kinds.ts'

export const expiredTokenAnswer = implement<'auth.expired', TokenAnswer>('auth.expired', {
  401: { status: 401, challenges: true },
  403: { status: 403 },
  419: { status: 419 },
})

import { implement } from '../implement.ts'
import type { TokenAnswer } from '../kinds.ts'

export const missingTokenAnswer = implement<'auth.missing', TokenAnswer>('auth.missing', {
  401: { status: 401, challenges: true },
  403: { status: 403 },
  400: { status: 400 },
  '302-login': { status: 302, location: '/login' },
  '200-envelope': { status: 200, isEnvelope: true },
})

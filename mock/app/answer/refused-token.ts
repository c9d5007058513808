import { refusedTokenBody } from '../../open-points/auth/body.ts'
import { expiredTokenAnswer } from '../../open-points/auth/expired.ts'
import { invalidTokenAnswer } from '../../open-points/auth/invalid.ts'
import { missingTokenAnswer } from '../../open-points/auth/missing.ts'
import { type Answer, answerBody, errorEnvelope } from './answer.ts'
import type { Settings } from '../../open-points/settings.ts'
import type { TokenRefused } from './token-refused.ts'

const answers = { missing: missingTokenAnswer, invalid: invalidTokenAnswer, expired: expiredTokenAnswer }

/** The answer to a refused token: a setting chooses its status, `auth.body` its body. */
export function answerRefusedToken(error: TokenRefused, settings: Settings): Answer {
  const { message, reason } = error
  const { status, challenges, location, isEnvelope } = answers[reason](settings)
  const headers = {
    ...(challenges && error.headers),
    ...(location !== undefined && { location }),
  }
  const body = refusedTokenBody(settings)
  if (isEnvelope || !body) return errorEnvelope(status, message, headers)
  return answerBody(
    status,
    body({ status, title: titles[status]!, code: `${reason}_token`, message }),
    headers,
  )
}

const titles: Readonly<Record<number, string>> = {
  302: 'Found',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  419: 'Authentication Timeout',
}

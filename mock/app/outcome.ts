import { EngineBusy, SqlError, StatementTimeout } from '../engine/engine.ts'
import { type Answer, answerWhole, errorEnvelope } from './answer.ts'
import { ConnectionReset, reset } from './answers/reset.ts'
import { answerException, answerSqlError } from './answers/sql-error.ts'
import { answerTimeout } from './answers/timeout.ts'
import { answerRefusedToken } from './auth/refused-token.ts'
import { TokenRefused } from './auth/token-refused.ts'
import type { Settings } from './settings.ts'
import { Refusal } from './refusal.ts'

/**
 * The response to a request without rows: the status and message of each error (decisions/0023, rulings 2 to 5).
 * Whatever the server did not expect is `Error executing statement`, and its cause stays in the log.
 *
 * @param statement as it was sent; empty where it was not read
 */
export function answerError(error: unknown, settings: Settings, statement = ''): Answer {
  if (error instanceof TokenRefused) return answerRefusedToken(error, settings)
  if (error instanceof Refusal) return answerRefusal(error)
  if (error instanceof StatementTimeout) return answerTimeout(error, settings)
  if (error instanceof EngineBusy) return errorEnvelope(503, error.message, { 'retry-after': '1' })
  if (error instanceof SqlError) return answerSqlError(error, settings, statement)
  if (error instanceof ConnectionReset) return reset
  return answerException(error, settings, true)
}

const answerRefusal = ({ status, message, headers, body }: Refusal): Answer =>
  body === undefined
    ? errorEnvelope(status, message, headers)
    : answerWhole(status, JSON.stringify(body), headers)
